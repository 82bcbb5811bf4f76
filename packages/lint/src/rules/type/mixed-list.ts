import { formatType } from '@tollgate/cel';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Reports `x in ['a', 1]`. */
export const MIXED_LIST: LintRule = {
  id: 'type/mixed-list',
  severity: 'error',
  summary: 'membership test on a list of mixed types',
  rationale:
    'Values of different types are never equal, so the elements of the other type can never match. Usually quotes are missing or ' +
    'superfluous.',
  bad: {
    policy: `\
inbound:
  - name: log old clients
    expressions: ["'X-Version' in req.Headers && req.Headers['X-Version'][0] in «['1', 2]»"]
    actions: [{ type: log }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: log old clients
    expressions: ["'X-Version' in req.Headers && req.Headers['X-Version'][0] in ['1', '2']"]
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
        // Numbers of different types can be equal, and `dyn` may be any type.
        if (names.includes('dyn') || names.filter(name => !NUMBERS.has(name)).length + Number(names.some(isNumber)) < 2)
          return;
        const message = `list mixes the types ${names.map(name => `\`${name}\``).join(', ')}, which are never equal; use one type`;
        context.report({ range: rangeInDocument(at, list.range), message, args: { types: names } });
      },
    },
  },
};

const NUMBERS: ReadonlySet<string> = new Set(['int', 'uint', 'double']);

function isNumber(name: string): boolean {
  return NUMBERS.has(name);
}
