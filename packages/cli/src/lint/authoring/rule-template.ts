/** The names of a new lint rule in the notations that its files need. */
interface RuleNames {
  /** `team/no-log`. */
  readonly id: string;
  /** `no-log`. */
  readonly file: string;
  /** `NO_LOG`. */
  readonly constant: string;
}

/** Returns the names of a lint rule; undefined if the id is invalid. */
export function namesOf(id: string): RuleNames | undefined {
  const file = /^[a-z][a-z0-9]*\/([a-z][a-z0-9-]*)$/.exec(id)?.[1];
  return file === undefined ? undefined : { id, file, constant: file.toUpperCase().replaceAll('-', '_') };
}

/** Returns the source of a lint rule that finds rules which only log, as a starting point. */
export function ruleFile({ id, constant }: RuleNames): string {
  return `import type { LintRule } from '@tollgate/lint';

export const ${constant}: LintRule = {
  id: '${id}',
  severity: 'warning',
  summary: 'a rule that only logs',
  rationale: 'Explain here why this is a problem; \`tollgate explain ${id}\` shows it.',
  bad: {
    policy: \`\\
inbound:
  - name: note uploads
    expressions: ["req.Method == 'PUT'"]
    actions: [{ type: «log» }]
\`,
  },
  good: {
    policy: \`\\
inbound:
  - name: no uploads
    expressions: ["req.Method == 'PUT'"]
    actions: [{ type: deny }]
\`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: [],
  check: {
    action: (action, place, context) => {
      if (action.type.value !== 'log' || place.rule.actions.length > 1) return;
      context.report({ range: action.type.range, message: 'this rule only logs; add an action that decides, or remove the rule' });
    },
  },
};
`;
}

/** Returns the source of its test, with cases to change and extend. */
export function testFile({ file, constant }: RuleNames): string {
  return `import { test } from 'node:test';
import { testRule } from '@tollgate/lint/testing';
import { ${constant} } from './${file}.ts';

testRule(test, ${constant}, {
  fires: {
    'at the type of the action': {
      policy: 'inbound: [{actions: [{type: «log»}]}]',
      message: 'this rule only logs; add an action that decides, or remove the rule',
    },
  },
  silent: {
    'ignores rules with other actions': 'inbound: [{actions: [{type: log}, {type: deny}]}]',
  },
});
`;
}
