"""Reads questions as JSON lines ({"id", "smt"}) and prints the answers of an SMT solver ({"id", "answer", "ms"}).

Usage: solve.py z3|cvc5 LIMIT-IN-MS
"""

import json
import sys
import time


def with_z3(smt, limit):
    import z3

    solver = z3.Solver()
    solver.set("timeout", limit)
    solver.from_string(smt)
    return str(solver.check())


def with_cvc5(smt, limit):
    import cvc5

    solver = cvc5.Solver()
    solver.setOption("tlimit-per", str(limit))
    solver.setOption("strings-exp", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "(set-logic ALL)\n" + smt + "\n(check-sat)\n", "question")
    symbols = parser.getSymbolManager()
    answer = ""
    while True:
        command = parser.nextCommand()
        if command.isNull():
            return answer.strip()
        answer = command.invoke(solver, symbols) or answer


def main():
    solve = {"z3": with_z3, "cvc5": with_cvc5}[sys.argv[1]]
    limit = int(sys.argv[2])
    for line in sys.stdin:
        question = json.loads(line)
        start = time.perf_counter()
        answer = solve(question["smt"], limit)
        ms = (time.perf_counter() - start) * 1000
        print(json.dumps({"id": question["id"], "answer": answer, "ms": ms}), flush=True)


main()
