import { formatType } from '@tollgate/cel';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf } from '../../rule-api/linted-expression.ts';

/** `x in ['a', 1]`. */
export const MIXED_LIST: LintRule = {
  id: 'type/mixed-list',
  severity: 'error',
  summary: 'a list of values of several types to look something up in',
  rationale:
    'Values of different types are never equal, so that those of the other type are dead weight in the list. Usually quotes have been forgotten, or ' +
    'there are some too many.',
  bad: {
    policy: `\
inbound:
  - name: known methods
    expressions: ["req.Method in «['GET', 1]»"]
    actions: [{ type: log }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: known methods
    expressions: ["req.Method in ['GET', 'HEAD']"]
    actions: [{ type: log }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    calls: {
      '@in': (call, at, context) => {
        const list = call.args[1];
        if (list?.kind !== 'list') return;
        const types = list.elements.flatMap(element => at.typed.types[element.id] ?? []);
        const names = [...new Set(types.map(formatType))];
        // Numbers of all kinds can be equal, and of dyn nobody knows.
        if (names.includes('dyn') || names.filter(name => !NUMBERS.has(name)).length + Number(names.some(isNumber)) < 2)
          return;
        const message = `the list has values of the types ${names.map(name => `\`${name}\``).join(' and ')}, which are never equal; use one type`;
        context.report({ range: placeOf(at, list.range), message, args: { types: names } });
      },
    },
  },
};

const NUMBERS: ReadonlySet<string> = new Set(['int', 'uint', 'double']);

function isNumber(name: string): boolean {
  return NUMBERS.has(name);
}
