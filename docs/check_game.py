"""Check the file of a finished game that `berthier game export` wrote.

usage: python3 check_game.py game.yaml

It needs nothing but Python's standard library, and shares no code with the
program that wrote the file. See dice.md for what it checks.
"""
import hashlib, hmac, json, sys

def sha(data): return hashlib.sha256(data).digest()

def dice(seed, game, stop, orders):
    """The dice of one stop: an endless run of fair whole numbers from 1 to n."""
    tail, block, words = game.encode() + b"\0" + stop.to_bytes(8, "big") + orders, 0, b""
    def roll(n):
        nonlocal block, words
        limit = 2**32 - 1 - 2**32 % n
        while True:
            if not words:
                words = hmac.new(seed, tail + block.to_bytes(8, "big"), hashlib.sha256).digest()
                block += 1
            word, words = int.from_bytes(words[:4], "big"), words[4:]
            if word <= limit:
                return word % n + 1
    return roll

head, entries = {}, []
for line in open(sys.argv[1], encoding="utf-8"):
    if line.startswith("  - {"):
        entries.append(json.loads(line[4:]))
    elif line.startswith("  - "):
        head.setdefault("seeds", []).append(line[4:].strip().strip('"'))
    elif ": " in line:
        key, value = line.split(": ", 1)
        head[key] = value.strip().strip('"')

# 1. The chain: no entry was changed, added or taken away.
last = bytes(32)
for e in entries:
    parts = [sha(bytes.fromhex(e["salt"]) + e["body"].encode()) if "body" in e else bytes.fromhex(e["digest"])]
    if "private" in e:
        parts.append(sha(bytes.fromhex(e["private_salt"]) + e["private"].encode()))
    elif "private_digest" in e:
        parts.append(bytes.fromhex(e["private_digest"]))
    last = sha(last + e["n"].to_bytes(8, "big") + b"".join(parts))
    assert last.hex() == e["hash"], f"entry {e['n']} does not fit the chain"

# 2. The seeds are those that were committed to; 3. every die fell as it had to.
seeds, rolls, promised = [bytes.fromhex(s) for s in head["seeds"]], 0, []
assert sha(seeds[0]).hex() == head["commitment"], "the seed is not the one committed to"
for e in entries:
    body = json.loads(e.get("body", "{}"))
    data = body.get("data") or {}
    if body.get("kind") in ("setup", "rewound", "ruling") and data.get("commitment"):
        promised.append(data["commitment"])               # a new seed, if the game goes on after its end
        if len(promised) <= len(head["seeds"]):
            seed = bytes.fromhex(head["seeds"][len(promised) - 1])
            assert sha(seed).hex() == promised[-1], f"entry {e['n']}: another seed"
    if body.get("kind") in ("over", "closed"):
        seeds = seeds[1:]
    if body.get("kind") != "resolved" or not seeds:
        continue
    text = b""
    for a in data["answers"]:
        for part in (a["decision"]["side"], a["decision"]["kind"], a["decision"].get("at", ""), a["orders"]):
            text += b"%d\n%s\n" % (len(part.encode()), part.encode())
    assert sha(text).hex() == data["orders_hash"], f"entry {e['n']}: other orders"
    roll = dice(seeds[0], head["game"], body.get("stop", 0), sha(text))
    for i, r in enumerate(data.get("rolls", []), 1):
        rolls += 1
        got = roll(r["d"])                                # rolled even where a ruling replaced it,
        got = data.get("ruled", {}).get(str(i), got)      # so that those after it stay the same
        assert got == r["r"], f"entry {e['n']}, roll {i}: {r['r']} recorded, {got} rolled"
print(f"{len(entries)} entries and {rolls} rolls hold")
