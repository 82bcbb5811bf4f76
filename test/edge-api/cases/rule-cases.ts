import { type ShapeRule, shapeOf } from '@tollgate/edge-api';
import { at, type BodyCase, withValue } from '../body-case.ts';
import type { Place } from '../places.ts';
import { sample } from '../samples.ts';

/** What makes the cases of one rule at one place. */
interface Subject {
  readonly place: Place;
  readonly refuse: (claim: string, members: Members, number: number, field?: readonly (string | number)[]) => BodyCase;
  readonly accept: (claim: string, members: Members) => BodyCase;
}

/** Members to set, or with undefined to take away. */
type Members = Readonly<Record<string, unknown>>;

/** A case for each way in which a rule of the shape can be kept or broken. */
export function ruleCases(place: Place): readonly BodyCase[] {
  return (shapeOf(place.shape).rules ?? []).flatMap(rule => casesOf(rule, subjectOf(place, rule)));
}

/** The key of a rule's row in the contract's table. */
export function ruleRow(shape: string, rule: ShapeRule): string {
  const subject =
    rule.kind === 'exactly-one' ? 'members' : rule.kind === 'removal-needs-replacement' ? 'remove' : rule.field;
  return `${shape}: ${subject} ${rule.kind}`;
}

function subjectOf(place: Place, rule: ShapeRule): Subject {
  const row = ruleRow(place.shape, rule);
  const make = (claim: string, members: Members, expected: BodyCase['expected']): BodyCase => ({
    name: `${place.shape} ${claim}`,
    row,
    operation: place.operation,
    body: Object.entries(members).reduce(
      (body: unknown, [key, value]) => withValue(body, [...place.path, key], value),
      place.body,
    ),
    expected,
  });
  return {
    place,
    refuse: (claim, members, number, field = []) =>
      make(`${claim}, or is refused with ${number}`, members, {
        ok: false,
        number,
        field: at([...place.path, ...field]),
      }),
    accept: (claim, members) => make(claim, members, { ok: true }),
  };
}

function casesOf(rule: ShapeRule, { place, refuse, accept }: Subject): readonly BodyCase[] {
  const { fields } = shapeOf(place.shape);
  const valueFor = (name: string) => sample(fields[name]!.type);
  switch (rule.kind) {
    case 'needs': {
      const { field, needs, code } = rule;
      const given = { [field]: valueFor(field), ...Object.fromEntries(needs.map(name => [name, valueFor(name)])) };
      return [
        ...needs.map(name =>
          refuse(`has ${field} only with ${name}`, { ...given, ...without(needs, name, field) }, code, [field]),
        ),
        accept(`takes ${[field, ...needs].join(' with ')}`, given),
      ];
    }
    case 'exactly-one': {
      const [one, two] = rule.of as [string, string];
      const none = Object.fromEntries(rule.of.map(name => [name, undefined]));
      return [
        refuse('has at least one of its members', none, rule.none),
        refuse(
          'has no more than one of its members',
          { [one]: MEMBERS[one] ?? {}, [two]: MEMBERS[two] ?? {} },
          rule.many,
        ),
      ];
    }
    case 'required-unless': {
      const [exempt] = rule.values as [string];
      const other = fields[rule.other]!.type;
      const needing =
        other.kind === 'text' ? other.oneOf!.values.find(value => !rule.values.includes(value)) : undefined;
      return [
        refuse(
          `has ${rule.field} with ${rule.other} ${needing}`,
          { [rule.other]: needing, [rule.field]: undefined },
          rule.code,
          [rule.field],
        ),
        accept(`takes no ${rule.field} with ${rule.other} ${exempt}`, {
          [rule.other]: exempt,
          [rule.field]: undefined,
        }),
      ];
    }
    case 'refused-when':
      return rule.values.map(value =>
        refuse(
          `has no ${rule.field} with ${rule.other} ${value}`,
          { [rule.other]: value, [rule.field]: valueFor(rule.field) },
          rule.code,
          [rule.field],
        ),
      );
    case 'format-when':
      return [
        ...rule.values.map(value =>
          refuse(
            `has a ${rule.format} in ${rule.field} with ${rule.other} ${value}`,
            { [rule.other]: value, [rule.field]: 'no key' },
            rule.code,
            [rule.field],
          ),
        ),
        ...rule.values.map(value =>
          accept(`takes a ${rule.format} in ${rule.field} with ${rule.other} ${value}`, {
            [rule.other]: value,
            [rule.field]: P256,
          }),
        ),
      ];
    case 'removal-needs-replacement':
      return rule.names.flatMap(name => [
        refuse(`removes ${name} only where it adds it`, { add: {}, remove: [name] }, rule.code, ['remove', 0]),
        accept(`replaces ${name}`, { add: { [name]: 'a.example' }, remove: [name] }),
      ]);
  }
}

/** Leaves one of the needed members out; `client_id` and `client_secret` need each other, so a third one is judged without both. */
function without(needs: readonly string[], name: string, field: string): Members {
  return field === 'scopes' ? Object.fromEntries(needs.map(one => [one, undefined])) : { [name]: undefined };
}

/** Values of members that an empty object is not valid for. */
const MEMBERS: Readonly<Record<string, unknown>> = {
  role: { role_arn: 'arn:aws:iam::123456789012:role/events' },
  creds: { aws_access_key_id: 'id', aws_secret_access_key: 'key' },
  firehose: {
    auth: { role: { role_arn: 'arn:aws:iam::123456789012:role/events' } },
    delivery_stream_arn: 'arn:aws:firehose:eu-west-1:123456789012:deliverystream/events',
  },
  kinesis: {
    auth: { role: { role_arn: 'arn:aws:iam::123456789012:role/events' } },
    stream_arn: 'arn:aws:kinesis:eu-west-1:123456789012:stream/events',
  },
};

/** A public key of the curve P-256, as base64 of its DER; its private half is nowhere. */
const P256 =
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE+ZOUBIXr6d5AeNaw8wRCYGYHrgRkPT05WGE7Gkcs2LBH27nxKbNOVAiIGXERFZLlBURDUoS3nZWy+4yTBMwu0Q==';
