"""Check the file of a finished game that `berthier game export` wrote.

usage: python3 check_game.py game.yaml

It needs nothing but Python's standard library, and shares no code with the
program that wrote the file. It knows no rules of any game: what only
`berthier game verify` can check it says at its end. See dice.md.

It ends with 0 if all holds that it can check, with 1 if something does not
hold, with 3 if something is withheld or can't be checked.
"""
import hashlib, hmac, json, re, sys

def sha(data): return hashlib.sha256(data).digest()

def hash_of(*parts):
    """SHA-256 over texts, each with its length in bytes before it."""
    return sha(b"".join(b"%d\n%s\n" % (len(p.encode()), p.encode()) for p in parts))

def dice(seed, tail):
    """The dice of one stop: an endless run of fair whole numbers from 1 to n."""
    block, words = 0, b""
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

def plain(text):
    """Whether orders are written as the program writes them: nothing that means nothing."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*"|\'(?:[^\']|\'\')*\'', "_", text)
    return text.endswith("\n") and not re.search(r"#|\t|\r| \n|\n\n|\S  |[\[{] | [\]},]|,\S", bare)

wrong, unchecked = [], []
def check(holds, text, *args):
    if not holds:
        wrong.append(text % args)

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
for number, e in enumerate(entries, 1):
    parts = [sha(bytes.fromhex(e["salt"]) + e["body"].encode()) if "body" in e else bytes.fromhex(e["digest"])]
    if "private" in e:
        parts.append(sha(bytes.fromhex(e["private_salt"]) + e["private"].encode()))
    elif "private_digest" in e:
        parts.append(bytes.fromhex(e["private_digest"]))
    last = sha(last + e["n"].to_bytes(8, "big") + b"".join(parts))
    check(e["n"] == number and last.hex() == e["hash"], "entry %d does not fit the chain", e["n"])
    last = bytes.fromhex(e["hash"])
withheld = sum("body" not in e for e in entries)
if withheld:
    unchecked.append("%d entries are withheld" % withheld)

# 2. The seeds are those that were committed to.
bodies = [json.loads(e.get("body", "{}")) for e in entries]
made = bodies[0].get("data") or {}
check(bodies[0].get("kind") == "setup" and made.get("game") == head["game"] and made.get("system") == head["system"],
      "the set-up in the log is of another game")
scheme, seeds = made.get("dice", 1), [bytes.fromhex(s) for s in head.get("seeds", [])]
check(scheme in (1, 2), "dice of scheme %s are not known here", scheme)
promised = [d["commitment"] for b in bodies if b.get("kind") in ("setup", "rewound", "ruling")
            for d in [b.get("data") or {}] if d.get("commitment")]
told = [b["data"]["seed"] for b in bodies if b.get("kind") in ("over", "closed")]
check(promised[:1] == [head["commitment"]], "the commitment is not that of the set-up")
check(told == head.get("seeds", []), "the seeds are not those that the log tells")
for i, seed in enumerate(seeds):
    check(i < len(promised) and sha(seed).hex() == promised[i], "seed %d is not the one committed to", i + 1)
if not seeds:
    unchecked.append("the dice: the seed is secret until the game is over")

# 3. Every stop has its place, every answer its file, every die fell as it had to.
place, answered = {}, {}                # after which entry: the stop that is open; how often each side has answered
now, words, said, rolls, round_of_seeds = 0, None, {}, 0, 0
pending, carried, sealed, in_force, silent, away = {}, set(), {}, {}, {}, set()
filed, waits, waited = {}, {}, {}  # what files file ahead; which file waits for a side; and after each entry
put_back = {}                       # answers that were in force again as the game went back
alone = set()                       # who has filed something ahead without an answer, or taken it back
stays = {}                          # what a player who has left had filed: his answer that came from it stays in force
exchanges, stops, back, kept, ruling, decided, outcome, over = 0, {}, 0, False, {}, None, None, False
deals = next((not b["data"]["answers"] for b in bodies if b.get("kind") == "resolved"), False)

def came_before(a):
    """Whether an answer was in force, or given to the same stop, before the game went back."""
    side = a["decision"]["side"]
    p = sealed.get((side, a["seat_stop"]))
    return ((side, a["seat_stop"], a["orders"]) in carried or a["orders"] in in_force.get(side, []) or
            p is not None and (p["seal"] is None or hash_of(a.get("salt", ""), a["orders"]).hex() == p["seal"]))

def resolve(n, b):
    global rolls
    data, at = b["data"], place[now]
    check(b.get("stop", 0) == at, "entry %d: the stop is called %d and is number %d of its branch", n, b.get("stop", 0), at)
    for a in data["answers"]:
        side, p = a["decision"]["side"], pending.get(a["decision"]["side"])
        check(plain(a["orders"]), "entry %d: the orders of %s are not in normal form", n, side)
        if data.get("again"):
            continue                    # compared below
        check(not p or p["stop"] == a["seat_stop"], "entry %d: what %s has sent counts for another stop", n, side)
        if p and "orders" in p:
            check(p["orders"] == a["orders"], "entry %d: a ruling put other orders of %s in force", n, side)
        elif p:
            check(a["by"] == p["by"], "entry %d: %s has sent a file that counts, and the answer is %s's", n, side, a["by"])
            check(p["seal"] is None or hash_of(a.get("salt", ""), a["orders"]).hex() == p["seal"],
                  "entry %d: the answer of %s is not what its file says", n, side)
        elif ruling.get("put_side") == side:
            check(ruling["put"] == a["orders"], "entry %d: a ruling put in other orders of %s", n, side)
        elif a["by"] == "ahead" and not (back and came_before(a)):
            f, part = filed.get(a.get("entry")), a.get("part") or {}
            check(f and f["seat"] == side and a["entry"] in (waits.get(side), stays.get(side)),
                  "entry %d: no file that was waiting stands behind the answer of %s", n, side)
            check(not f or part.get("text") == (f["text"] or part.get("text")) and
                  (f["seal"] is None or hash_of(a.get("salt", ""), part.get("text", "")).hex() == f["seal"]),
                  "entry %d: the answer of %s was filed ahead otherwise", n, side)
        elif back and came_before(a):
            pass
        elif a["by"] == "default":
            check(side in away or silent.get(side) == a["seat_stop"], "entry %d: the default of %s before any deadline has passed", n, side)
        elif a["by"] == "bot":
            check(side in away, "entry %d: the bot does not play for %s", n, side)
        elif withheld and scheme == 1:
            pass                        # his file is withheld here
        else:
            check(False, "entry %d: no file stands behind the answer of %s", n, side)
    parts = [p for a in data["answers"]
             for p in (a["decision"]["side"], a["decision"]["kind"], a["decision"].get("at", ""), a["orders"])]
    check(hash_of(*parts).hex() == data["orders_hash"], "entry %d: other orders", n)

    # Which rolls a ruling in force replaces.
    ruled, old = {}, stops.get(data.get("again"))
    if data.get("again"):
        check(old and old["place"] == at and back and data["again"] < back and b["at"] == bodies[back - 1]["at"] and
              [(a["decision"], a["orders"], a["by"]) for a in old["answers"]] == [(a["decision"], a["orders"], a["by"]) for a in data["answers"]],
              "entry %d does not repeat entry %d", n, data["again"])
    if old and kept:
        ruled = {str(i): r["r"] for i, r in enumerate(old.get("rolls", []), 1)}
    if old:
        ruled.update(old.get("ruled", {}))
    if scheme == 1:                     # such a log does not say which stop another one repeats
        for was in stops.values():
            for i, r in data.get("ruled", {}).items():
                if was["place"] == at and (was.get("ruled", {}).get(i) == r or
                                           kept and int(i) <= len(was.get("rolls", [])) and was["rolls"][int(i) - 1]["r"] == r):
                    ruled[i] = r
    if ruling.get("kind") == "die":
        ruled[str(ruling["roll"])] = ruling["result"]
    check(ruled == data.get("ruled", {}), "entry %d: rolls are marked as ruled on, and no ruling in force says so", n)

    check(not made.get("luck") or words is not None, "entry %d: a stop before the players' words", n)
    if round_of_seeds < len(seeds):
        tail = head["game"].encode() + b"\0" + at.to_bytes(8, "big")
        if scheme == 2:
            tail = b"berthier dice 2\0" + tail + hash_of(*[p for w in words or [] for p in (w["side"], w["word"])])
        roll = dice(seeds[round_of_seeds], tail + hash_of(*parts))
        for i, r in enumerate(data.get("rolls", []), 1):
            rolls += 1
            got = roll(r["d"])                          # rolled even where a ruling replaced it,
            got = ruled.get(str(i), got)                # so that those after it stay the same
            check(got == r["r"], "entry %d, roll %d: %d recorded, %d rolled", n, i, r["r"], got)
    stops[n] = dict(data, place=at)

def says_ahead(n, seat, data):
    """What a file files ahead is in the file, and nothing is said of one that does not."""
    text, seal, file = data.get("ahead"), data.get("ahead_seal"), data.get("file")
    if file is not None:
        said = re.search(r"(?im)^\W*(ahead|in-anticipo)\W*:", file)
        check(bool(said) == bool(text or seal), "entry %d: the file of %s and what it is said to file ahead differ", n, seat)
        bare = re.sub(r"[^0-9a-z]", "", file.lower())
        for word in re.findall(r"[\w/-]*\d[\w/-]*", text or ""):
            check(re.sub(r"[^0-9a-z]", "", word.lower()) in bare, "entry %d: %s is not in the file of %s", n, word, seat)
    if not text and not seal:
        return
    check(not (text and seal) or hash_of(data.get("ahead_salt", ""), text).hex() == seal,
          "entry %d: the seal of what it files ahead is of something else", n)
    filed[n] = {"seat": seat, "text": text, "seal": seal, "late": data.get("late")}

def counts(n):
    """The file of an answer, if what it files ahead counts: a letter that was written later may have overtaken it."""
    return None if filed.get(n, {}).get("late") else n

def accepted(data, side):
    """What a refused file files ahead counts with its orders, if a ruling that accepts it says so."""
    if data.get("ahead"):
        filed.setdefault(data["about"], {"seat": side, "text": data["ahead"], "seal": None})

def now_waits(side, n):
    """What the file of an entry files ahead waits from now on, in place of all that waited."""
    if n in filed:
        waits.pop(side, None)
        if filed[n]["text"] != "none":
            waits[side] = n

def gone_back(n, to, data):
    """The game goes back to where it stood after an entry."""
    if exchanges:
        unchecked.append("who had left, since players changed seats and the game went back")
    global now, back, kept, pending, silent, decided, over, ruling, waits, stays, put_back
    put_back = (rulings[data["about"]].get("in_force") or {}) if data.get("kind") == "overrule" and data.get("about") in rulings else {}
    waits, stays = dict(waited.get(to, {})), {}
    check(to in place, "entry %d goes back to entry %d, after which nothing is known", n, to)
    for side, p in pending.items():
        carried.add((side, p["stop"], p.get("orders")))
        if p.get("entry"):
            sealed[(side, p["stop"])] = p
    for side, f in (data.get("in_force") or {}).items():
        in_force.setdefault(side, []).append(f["orders"])
    place[n] = place.get(to, 1)
    kept = bool(data.get("commitment")) or bool(data.get("repeats")) and kept
    now, back, pending, silent, decided, ruling = n, n, {}, {}, None, {}
    over = over and not data.get("commitment")

def leaves(seat, data):
    """Nothing that a player has filed ahead waits any more when he leaves his seat."""
    if seat in waits:
        stays[seat] = waits.pop(seat)
    if seat in pending and data.get("ends"):        # nor what his answer in force files
        pending[seat].update(ended=True)
        pending[seat].pop("files", None)
        pending[seat].pop("put", None)

rulings = {}
for e, b in zip(entries, bodies):
    n, kind, seat, data = e["n"], b.get("kind"), b.get("seat"), b.get("data") or {}
    if kind == "setup":
        check(n == 1, "entry %d is a second set-up", n)
        place[n], now = 0 if deals else 1, n
        away |= set(data.get("bots") or {})     # bots have these seats from the beginning
    elif kind == "word":
        check(words is None and data["side"] == seat, "entry %d: a word for luck after the game has begun", n)
        if data["word"]:
            said[seat] = data["word"]
        else:                           # the seat is somebody else's now
            check(bodies[n - 2].get("kind") == "replaced" and bodies[n - 2].get("seat") == seat,
                  "entry %d: the word of %s is dropped, and nobody has taken the seat over", n, seat)
            said.pop(seat, None)
    elif kind == "luck":
        check(made.get("luck") and words is None and not stops, "entry %d: no words for luck were due", n)
        words = data["words"] or []
        check({w["side"]: w["word"] for w in words} == said, "entry %d: these are not the players' words", n)
    elif kind in ("standing", "ahead"):
        says_ahead(n, seat, data)
        if kind == "ahead" and b.get("by") == "office":     # filed again where the game went back
            check(back and b["at"] == bodies[back - 1]["at"] and any(m < n and (f["text"], f["seal"]) == (filed[n]["text"], filed[n]["seal"])
                  for m, f in filed.items()), "entry %d: something is filed ahead for %s that nobody has sent", n, seat)
        now_waits(seat, n)
        if n in filed:
            alone.add(seat)
            stays.pop(seat, None)
        if pending.get(seat) and n in filed:            # in place of what the answer in force files
            pending[seat]["files"] = n
        place[n], now = place[now], n
    elif kind == "taken":
        says_ahead(n, seat, data)
        check(not data.get("late") or seat in alone or exchanges,
              "entry %d: what the file of %s files ahead is said to be overtaken, and nothing was filed ahead by itself", n, seat)
        pending[seat] = {"by": b["by"], "stop": data["seat_stop"], "seal": data.get("seal"), "entry": n}
    elif kind == "deadline":
        silent[seat] = data["seat_stop"]
    elif kind in ("bot", "resigned", "vacated"):
        away.add(seat)
        if kind != "bot":
            leaves(seat, data)
    elif kind in ("returned", "replaced"):
        away.discard(seat)
        if kind == "replaced":
            leaves(seat, data)
        if data.get("bot"):             # a bot has the seat now
            away.add(seat)
    elif kind == "resolved":
        check(not over, "entry %d: a stop after the end of the game", n)
        resolve(n, b)
        for a in data["answers"]:
            side = a["decision"]["side"]
            if data.get("again") and not a.get("part"):
                now_waits(side, a.get("files") or counts(a.get("entry")))
            elif pending.get(side):
                p = pending[side]
                check(p.get("files") == a.get("files") or not p.get("files") and a["files"] in (p.get("entry"), p.get("put")),
                      "entry %d: the answer of %s does not leave waiting what was filed ahead last", n, side)
                now_waits(side, p.get("files") or p.get("put") or not p.get("ended") and counts(p.get("entry")))
            elif a["by"] in ("player", "gm"):           # in force since before the game went back, or again
                f = put_back.get(side, {})
                same = f and (f["orders"], f.get("entry")) == (a["orders"], a.get("entry"))
                now_waits(side, a.get("files") or (f.get("files") if same else counts(a.get("entry"))))
            carried.add((a["decision"]["side"], a["seat_stop"], a["orders"]))
        for event in data.get("events") or []:
            if event.get("Exchange"):           # who sat here sits there from now on
                one, two = event["Exchange"]
                away = {two if s == one else one if s == two else s for s in away}
                waits.pop(one, None), waits.pop(two, None)
                exchanges += 1
        place[n], now, pending, silent, ruling, outcome, stays = place[now] + 1, n, {}, {}, {}, data.get("outcome"), {}
    elif kind == "rewound":
        rulings[n] = {"kind": "rewind", "in_force": data.get("in_force")}
        gone_back(n, data["to"], data)
    elif kind == "ruling":
        rulings[n], first, holds, at = data, data, True, n
        while first.get("kind") == "overrule" and first.get("about") in rulings and first["about"] < at:
            at = first["about"]
            first, holds = rulings[at], not holds
        if data.get("seat"):
            silent.pop(data["seat"], None)
            pending.pop(data["seat"], None)
            if data.get("orders"):
                pending[data["seat"]] = p = {"orders": data["orders"], "stop": data["seat_stop"]}
                if data.get("ahead"):
                    accepted(data, data["seat"])
                    p["put"] = data["about"]
                was = rulings.get(data.get("about"), {}).get("was") or {}
                if data["kind"] == "overrule" and was.get("files") and was["orders"] == data["orders"]:
                    p["put" if was["files"] == was.get("entry") else "files"] = was["files"]
        elif data.get("to") or data.get("set"):
            if data.get("kind") == "overrule" and rulings.get(data.get("about")):
                for side, f in (rulings[data["about"]].get("in_force") or {}).items():
                    in_force.setdefault(side, []).append(f["orders"])
            gone_back(n, data.get("to") or now, data)
            accepted(data, data.get("put_side"))
            ruling, outcome = data, None
        if first.get("kind") == "outcome":
            decided = sorted(first.get("winners") or []) if holds else None
    elif kind in ("over", "closed"):
        check(not over, "entry %d: the game is over for the second time", n)
        if kind == "over" and decided is not None:
            check(sorted(data["outcome"].get("winners") or []) == decided, "entry %d: other winners than a ruling says", n)
        elif kind == "over" and outcome is not None:
            check(data["outcome"] == outcome, "entry %d: another outcome than that of the last stop", n)
        elif kind == "over" and now in stops:
            check(False, "entry %d: the last stop has not ended the game", n)
        over, round_of_seeds = True, round_of_seeds + 1
    waited[n] = dict(waits)
if over and not rolls:
    unchecked.append("no die was rolled")

for text in wrong:
    print(text)
if wrong:
    sys.exit("the game does NOT hold")
print(f"{len(entries)} entries and {rolls} rolls hold")
if made.get("fixed"):
    print("note: the seed was not drawn by chance; whoever made the game knew all dice")
if scheme == 1:
    print("note: such an old log has no seals of the files: each player can hold the answers against his own files alone")
print("only berthier game verify checks: that the orders mean what is played, the positions, what was told,")
print("what was filed ahead means at its stop, what the default and the bot are and whether they were due, the numbers of a seat's stops, what was")
print("in force before a ruling, the order and line breaks of a normal form, and letters")
for text in unchecked:
    print("not checked:", text)
sys.exit(3 if unchecked else 0)
