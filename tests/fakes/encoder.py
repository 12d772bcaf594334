"""Fake programs with a sentence model: they talk as the real one does, and fail as it might."""

TALKS = '''
import base64, struct

starts = os.path.join(os.path.dirname(os.path.abspath(__file__)), "starts")
with open(starts, "a") as file:
    file.write("x")
first = len(open(starts).read()) == 1


def vector(text):
    """Two directions: that of texts about cats, and that of all others."""
    numbers = (1.0, 0.0) if "cat" in text else (0.0, 1.0)
    return base64.b64encode(struct.pack("<2f", *numbers)).decode()


def answer(line):
    print(json.dumps({"vectors": [vector(text) for text in json.loads(line)["texts"]]}), flush=True)

'''
"""Counts its starts in the file `starts` beside it; `first` is true in the first."""

WORKS = f"{TALKS}\nfor line in sys.stdin: answer(line)"
FAILS = {
    "crashes": f"{TALKS}\nsys.stdin.readline(); os.abort()",
    "ends": f"{TALKS}\nsys.stdin.readline()",
    "ends at once": "",
    "complains": f'{TALKS}\nsys.stdin.readline(); print(\'{{"error": "no such model"}}\')',
    "prints no JSON": f"{TALKS}\nsys.stdin.readline(); print('loading ...', flush=True); sleep()",
    "prints no vector": f'{TALKS}\nprint(\'{{"vectors": ["AAA="]}}\', flush=True); sleep()',
    "prints too few": f"{TALKS}\nprint('{{\"vectors\": []}}', flush=True); sleep()",
    "prints without end": "while True: os.write(1, b'x' * 65536)",
    "hangs": f"{TALKS}\nsleep()",
    "hangs and ignores SIGTERM": f"{TALKS}\ndeaf(); sleep()",
}
"""What may go wrong before the first answer, by name."""
