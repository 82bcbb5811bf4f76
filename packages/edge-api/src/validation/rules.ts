import type { MessageParts } from '../contract/errors.ts';
import type { ShapeRule } from '../definition/field.ts';
import { quoted } from './expected.ts';
import { shown } from './fault.ts';
import { FORMATS } from './formats.ts';

type Members = Readonly<Record<string, unknown>>;
type Report = (code: number, parts?: MessageParts, path?: PropertyKey[]) => void;

/** Returns the check of a rule over the fields of an object. */
export function ruleCheck(rule: ShapeRule): (members: Members, report: Report) => void {
  switch (rule.kind) {
    case 'needs':
      return (members, report) => needs(rule, members, report);
    case 'exactly-one':
      return (members, report) => exactlyOne(rule, members, report);
    case 'at-most-one':
      return (members, report) => {
        const given = rule.of.filter(name => isGiven(members[name]));
        if (given.length > 1) report(rule.code, { value: given.join("', '") }, [given[1]!]);
      };
    case 'required-unless':
      return (members, report) => {
        const other = known(members, rule.other);
        if (other === undefined || holds(rule.values, other) || isGiven(members[rule.field])) return;
        report(rule.code, { expected: shown(members[rule.other]) }, [rule.field]);
      };
    case 'refused-when':
      return (members, report) => {
        if (!isGiven(members[rule.field]) || !holds(rule.values, known(members, rule.other) ?? rule.unlessGiven))
          return;
        const value = shown(members[rule.field]);
        report(rule.code, { value, expected: rule.values.join(', ') }, [rule.field]);
      };
    case 'format-when':
      return (members, report) => {
        const value = members[rule.field];
        if (typeof value !== 'string' || value === '' || !holds(rule.values, known(members, rule.other))) return;
        if (!FORMATS[rule.format].holds(value)) report(rule.code, {}, [rule.field]);
      };
    case 'removal-needs-replacement':
      return (members, report) => removal(rule, members, report);
  }
}

/** Returns true unless the value is null or an empty string or list. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function known(members: Members, name: string): string | undefined {
  const value = members[name];
  return typeof value === 'string' && value !== '' ? value.toLowerCase() : undefined;
}

function holds(values: readonly string[], value: string | undefined): boolean {
  return value !== undefined && values.includes(value);
}

function needs(rule: Extract<ShapeRule, { kind: 'needs' }>, members: Members, report: Report): void {
  if (!isGiven(members[rule.field])) return;
  const missing = rule.needs.filter(name => !isGiven(members[name]));
  if (missing.length > 0) report(rule.code, { expected: missing.join("' and '") }, [rule.field]);
}

function exactlyOne(rule: Extract<ShapeRule, { kind: 'exactly-one' }>, members: Members, report: Report): void {
  const given = rule.of.filter(name => isGiven(members[name]));
  if (given.length === 1) return;
  const expected = quoted(rule.of);
  report(given.length === 0 ? rule.none : rule.many, { value: given.join("', '"), expected });
}

function removal(
  rule: Extract<ShapeRule, { kind: 'removal-needs-replacement' }>,
  members: Members,
  report: Report,
): void {
  const { add, remove } = members;
  if (!Array.isArray(remove)) return;
  const added = new Set(Object.keys((add ?? {}) as object).map(name => name.toLowerCase()));
  for (const [index, name] of remove.entries()) {
    const lower = String(name).toLowerCase();
    if (rule.names.includes(lower) && !added.has(lower)) report(rule.code, { value: lower }, ['remove', index]);
  }
}
