import { nearest } from '@tollgate/cel/tooling';
import type { Rule } from '../model/policy.ts';

/** Returns the index of the rule with this name, or with this phase and number, as in `inbound 2`; or an error message. */
export function findTestedRule(key: string, rules: readonly Rule[]): number | { readonly message: string } {
  const named = rules.flatMap((rule, index) => (rule.name?.value === key ? [index] : []));
  if (named.length === 1) return named[0]!;
  const labels = named.map(index => `\`${labelOf(rules[index]!)}\``);
  if (named.length > 1) return { message: `several rules are named \`${key}\`; write ${labels.join(' or ')}` };
  const numbered = rules.flatMap((rule, index) => (labelOf(rule) === key ? [index] : []));
  // Rules of several policies.
  if (numbered.length > 1) return { message: `several rules are \`${key}\`; write the name of one` };
  if (numbered.length === 1) return numbered[0]!;
  const known = rules.flatMap(rule => [rule.name?.value ?? [], labelOf(rule)].flat());
  const close = nearest(key, known);
  const hint =
    close === undefined
      ? '; write its name, or its phase and number, as in `inbound 2`'
      : `; did you mean \`${close}\`?`;
  return { message: `unknown rule \`${key}\`${hint}` };
}

function labelOf({ phase, index }: Rule): string {
  return `${phase} ${index + 1}`;
}
