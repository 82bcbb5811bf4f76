import { mayRefuse } from '@tollgate/catalog';
import { type Action, entryOf, type MapEntryNode, removeEntries } from '@tollgate/policy';
import { isLimit, resultReads } from '../../analyses/access.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Values of the verification strategy of client certificates that accept any certificate. */
const LAX_STRATEGIES: ReadonlySet<unknown> = new Set(['require-any', 'request']);

/** Reports `basic-auth` with `enforce: false`. */
export const NOT_ENFORCED: LintRule = {
  id: 'sec/not-enforced',
  severity: 'warning',
  summary: 'security action that lets traffic pass unchecked',
  rationale:
    'With `enforce: false` an action checks the traffic and then lets all of it pass. That is meant for a trial; left in place, the ' +
    'policy looks protected but is not. The same holds for client certificates that are requested but not verified, and with `on_error: continue` ' +
    'for traffic that a firewall fails to check. Enforce the check, or deny traffic in a later rule that reads its result. While a result is ' +
    'only logged, this is a trial, reported with the severity `info`.',
  bad: {
    policy: `\
on_http_request:
  - name: staff only
    actions:
      - type: basic-auth
        config:
          credentials: ["\${secrets.get('staff', 'login')}"]
          «enforce: false»
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: staff only
    actions:
      - type: basic-auth
        config:
          credentials: ["\${secrets.get('staff', 'login')}"]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended', 'security'],
  check: {
    policy: (policy, context) => {
      const rules = context.file.profile.phases.flatMap(phase => policy.rules[phase]);
      const lax = rules.flatMap(rule => rule.actions).filter(action => laxEntry(action) !== undefined);
      // Once per type of action, because looking for reads of its result walks the whole policy.
      for (const [type, actions] of Map.groupBy(lax, action => action.type.value)) {
        const reads = resultReads(policy, type, context.file);
        if (reads.some(read => read.decides)) continue;
        const isTrial = reads.some(read => read.action?.type.value === 'log');
        for (const action of actions) reportAction(action, isTrial, context);
      }
    },
  },
};

function reportAction(action: Action, isTrial: boolean, context: LintContext): void {
  const entry = laxEntry(action)!;
  const { type, configNode } = action;
  const [edit] = removeEntries(context.file.source.text, configNode!, [entry]);
  const isOnly = configNode!.entries.length === 1;
  context.report({
    range: { start: entry.keyRange.start, end: entry.value.range.end },
    message: messageFor(type.value, entry.key, isTrial),
    args: { action: type.value, key: entry.key },
    fixes: edit && !isOnly ? [{ title: `remove \`${entry.key}\``, applicability: 'suggestion', edits: [edit] }] : [],
    ...((isTrial || isLimit(action)) && { severity: 'info' }),
  });
}

/** @param isTrial true if the result of the action is logged: that is how a check is tried on real traffic */
function messageFor(action: string, key: string, isTrial: boolean): string {
  const end = 'when the trial is over';
  switch (key) {
    case 'enforce':
      if (isTrial)
        return `\`${action}\` only logs its result: with \`enforce: false\` it denies nothing; remove it ${end}`;
      return `\`${action}\` denies nothing with \`enforce: false\`; remove it, or deny traffic in a later rule that reads the result`;
    case 'on_error':
      if (isTrial)
        return `\`${action}\` only logs what it fails to check, and lets it pass; remove \`on_error\` ${end}`;
      return `\`${action}\` lets requests pass that it fails to check; remove \`on_error\`, or deny them in a later rule`;
    default:
      return `\`${action}\` accepts any client certificate; remove \`${key}\`, or deny unverified ones in a later rule`;
  }
}

/** Returns the entry that disables the protection. */
function laxEntry(action: Action): MapEntryNode | undefined {
  if (!action.configNode) return undefined;
  const enforce = mayRefuse(action) ? entryOf(action.configNode, 'enforce') : undefined;
  if (enforce?.value.kind === 'scalar' && enforce.value.value === false) return enforce;
  const onError = mayRefuse(action) ? entryOf(action.configNode, 'on_error') : undefined;
  if (onError?.value.kind === 'scalar' && onError.value.value === 'continue') return onError;
  const strategy = entryOf(action.configNode, 'mutual_tls_verification_strategy');
  return strategy?.value.kind === 'scalar' && LAX_STRATEGIES.has(strategy.value.value) ? strategy : undefined;
}
