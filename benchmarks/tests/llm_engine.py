"""A real engine, `transformers serve`, with two tiny models made here: neither is ours to bend.

`test/bigram` has weights set by hand so that it answers every chat with `ANSWER`; `test/random` has
weights drawn by a seed and babbles. Both read single bytes and know a chat template.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.servers import await_answer, free_port, running

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

ANSWER = {"names": ["Smith", "Jones"]}

_START, _END = "<|start|>", "<|end|>"
_TEMPLATE = (
    "{% for m in messages %}{{ m['role'] + ':' + m['content'] + '<|end|>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|start|>' }}{% endif %}"
)


@contextlib.contextmanager
def engine() -> Iterator[str]:
    """Serve the two models and yield the base URL."""
    binary = shutil.which("transformers", path=str(Path(sys.executable).parent))
    if binary is None:
        pytest.skip("`transformers serve` cannot be had: the package is not installed")
    with tempfile.TemporaryDirectory() as folder:
        _write_models(Path(folder))
        port = free_port()
        command = [binary, "serve", "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
        environment = {
            **os.environ, "HF_HUB_CACHE": folder, "HF_HOME": folder, "HF_HUB_OFFLINE": "1",
            "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": "",
        }  # fmt: skip
        with running(command, folder, environment):
            await_answer(f"http://127.0.0.1:{port}/health")
            yield f"http://127.0.0.1:{port}/v1"


def _write_models(cache: Path) -> None:
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = _tokenizer()
    size = len(tokenizer)
    config = LlamaConfig(
        vocab_size=size,
        hidden_size=size + size % 2,
        intermediate_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        max_position_embeddings=16_384,
        tie_word_embeddings=False,
        eos_token_id=tokenizer.convert_tokens_to_ids(_END),
        bos_token_id=None,
    )
    torch.manual_seed(0)
    model = LlamaForCausalLM(config)
    _save(cache, "random", model, tokenizer)
    with torch.no_grad():
        for parameter in model.model.layers.parameters():
            parameter.zero_()  # each token passes through as it is
        table = torch.eye(size, config.hidden_size)
        model.model.embed_tokens.weight.copy_(table)
        model.lm_head.weight.zero_()
        first, answer, last = tokenizer.convert_tokens_to_ids([_START, json.dumps(ANSWER), _END])
        for before, after in ((first, answer), (answer, last)):
            model.lm_head.weight[after] = table[before]
    _save(cache, "bigram", model, tokenizer)


def _tokenizer() -> PreTrainedTokenizerFast:
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    plain = Tokenizer(models.BPE(vocab={char: row for row, char in enumerate(alphabet)}, merges=[]))
    plain.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    plain.decoder = decoders.ByteLevel()
    plain.add_special_tokens([_START, _END])
    plain.add_tokens([AddedToken(json.dumps(ANSWER), normalized=False)])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=plain, eos_token=_END, pad_token=_END)
    tokenizer.chat_template = _TEMPLATE
    return tokenizer


def _save(cache: Path, name: str, model: object, tokenizer: PreTrainedTokenizerFast) -> None:
    """Write a model where the hub's cache would have it."""
    folder = cache / f"models--test--{name}"
    commit = "0" * 40
    snapshot = folder / "snapshots" / commit
    model.save_pretrained(snapshot)  # type: ignore[attr-defined]
    tokenizer.save_pretrained(snapshot)
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text(commit)
    (folder / "blobs").mkdir()
