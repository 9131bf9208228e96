"""Numbers in words, read by a pack's own grammar.rbnf, as docs/voice-pack.md defines it. Whole numbers only."""

import re

SET = re.compile(r"^(%%?[\w-]+):(.*)$")
RULE = re.compile(r"(?:(\d+)(?:/(\d+))?(>*):)?\s*(.*)", re.DOTALL)
SUBSTITUTION = re.compile(r"([<>=])(%%?[\w-]+|#,##0|0)?\1")
PLURAL = re.compile(r"\$\(cardinal,(.*?)\)\$")


class Unreadable(ValueError):
    """A number that the grammar leaves in digits: the box does not say it."""


def plural_category(plurals, n):
    """The CLDR category of a whole number: the first whose rule holds, or other."""

    def holds(condition):
        operand, ranges = condition.split("=")
        value = 0 if operand.strip() == "v" else n
        bounds = [part.strip().split("..") for part in ranges.split(",")]
        return any(int(bound[0]) <= value <= int(bound[-1]) for bound in bounds)

    for category, rule in plurals.items():
        if any(all(map(holds, branch.split(" and "))) for branch in rule.split(" or ")):
            return category
    return "other"


class Rule:
    def __init__(self, base, radix, shift, text):
        self.base, self.text = base, text.removeprefix("'")
        self.divisor = 1
        while base >= self.divisor * radix:
            self.divisor *= radix
        self.divisor //= radix**shift


class Grammar:
    def __init__(self, folder, plurals):
        self.plurals = plurals
        self.sets = {}
        rules = None
        for line in (folder / "grammar.rbnf").read_text(encoding="utf-8").splitlines():
            start = SET.match(line)
            if start:
                rules = self.sets[start[1]] = []
                line = start[2]
            if line.startswith("#") or not line.strip():
                continue
            for text in line.rstrip().removesuffix(";").split(";"):
                base, radix, shift, said = RULE.fullmatch(text.lstrip()).groups()
                if said[:4] != "x.x:":
                    follows = rules[-1].base + 1 if rules else 0
                    rules.append(Rule(int(base) if base else follows, int(radix or 10), len(shift or ""), said))

    def read(self, name, n):
        """What rule set `name` says for `n`; raises Unreadable where that has digits."""
        rules = self.sets[name]
        at = max(i for i, rule in enumerate(rules) if rule.base <= n)
        rule = rules[at]
        rest = n % rule.divisor
        if ">" in rule.text and not rest and rule.base % rule.divisor:
            rule = rules[at - 1]
            rest = n % rule.divisor

        def substitute(match):
            sign, target = match.groups()
            if target and target[0] != "%":
                raise Unreadable(f"{name}: {n}")
            value = {"<": n // rule.divisor, ">": rest, "=": n}[sign]
            return self.read(target or name, value).replace("\u00ad", "-")

        def inflect(match):
            forms = dict(re.findall(r"(\w+)\{(.*?)\}", match[1]))
            return forms[plural_category(self.plurals, n // rule.divisor)]

        text = re.sub(r"\[(.*?)\]", r"\1" if rest else "", rule.text)
        return SUBSTITUTION.sub(substitute, PLURAL.sub(inflect, text))
