import { type ShapeRule, shapeOf } from '@tollgate/edge-api';
import { at, type BodyCase, withValue } from '../body-case.ts';
import type { BodyLocation } from '../body-locations.ts';
import { sample } from '../samples.ts';

/** What the cases of one rule at one location are built from. */
interface Subject {
  readonly location: BodyLocation;
  readonly refuse: (claim: string, members: Members, number: number, field?: readonly (string | number)[]) => BodyCase;
  readonly accept: (claim: string, members: Members) => BodyCase;
}

/** Members to set; undefined removes one. */
type Members = Readonly<Record<string, unknown>>;

/** Returns a case for each way to satisfy or violate a rule of the shape. */
export function ruleCases(location: BodyLocation): readonly BodyCase[] {
  return (shapeOf(location.shape).rules ?? []).flatMap(rule => casesOf(rule, subjectOf(location, rule)));
}

/** Returns the key of a rule in the contract's table. */
export function ruleRow(shape: string, rule: ShapeRule): string {
  const subject = 'of' in rule ? 'members' : rule.kind === 'removal-needs-replacement' ? 'remove' : rule.field;
  return `${shape}: ${subject} ${rule.kind}`;
}

function subjectOf(location: BodyLocation, rule: ShapeRule): Subject {
  const row = ruleRow(location.shape, rule);
  const make = (claim: string, members: Members, expected: BodyCase['expected']): BodyCase => ({
    name: `${location.shape} ${claim}`,
    row,
    operation: location.operation,
    body: Object.entries(members).reduce(
      (body: unknown, [key, value]) => withValue(body, [...location.path, key], value),
      location.body,
    ),
    expected,
  });
  return {
    location,
    refuse: (claim, members, number, field = []) =>
      make(`${claim}, or is refused with ${number}`, members, {
        ok: false,
        number,
        field: at([...location.path, ...field]),
      }),
    accept: (claim, members) => make(claim, members, { ok: true }),
  };
}

function casesOf(rule: ShapeRule, subject: Subject): readonly BodyCase[] {
  switch (rule.kind) {
    case 'needs':
      return needsCases(rule, subject);
    case 'exactly-one':
      return exactlyOneCases(rule, subject);
    case 'at-most-one':
      return atMostOneCases(rule, subject);
    case 'required-unless':
      return requiredCases(rule, subject);
    case 'refused-when':
      return refusedCases(rule, subject);
    case 'format-when':
      return formatCases(rule, subject);
    case 'removal-needs-replacement':
      return removalCases(rule, subject);
  }
}

type Rule<K extends ShapeRule['kind']> = Extract<ShapeRule, { kind: K }>;

/** Returns a valid value for a member of the subject's shape. */
function valueFor({ location }: Subject, name: string): unknown {
  return sample(shapeOf(location.shape).fields[name]!.type);
}

function needsCases({ field, needs, code }: Rule<'needs'>, subject: Subject): readonly BodyCase[] {
  const given = Object.fromEntries([field, ...needs].map(name => [name, valueFor(subject, name)]));
  return [
    ...needs.map(name =>
      subject.refuse(`has ${field} only with ${name}`, { ...given, ...without(needs, name, field) }, code, [field]),
    ),
    subject.accept(`takes ${[field, ...needs].join(' with ')}`, given),
  ];
}

function exactlyOneCases({ of, none, many }: Rule<'exactly-one'>, { refuse }: Subject): readonly BodyCase[] {
  const [one, two] = of as [string, string];
  const nothing = Object.fromEntries(of.map(name => [name, undefined]));
  return [
    refuse('has at least one of its members', nothing, none),
    refuse('has no more than one of its members', { [one]: MEMBERS[one] ?? {}, [two]: MEMBERS[two] ?? {} }, many),
  ];
}

function atMostOneCases({ of, code }: Rule<'at-most-one'>, { refuse, accept }: Subject): readonly BodyCase[] {
  const all = Object.fromEntries(of.map(name => [name, MEMBERS[name] ?? {}]));
  return [
    refuse(`has only one of ${of.join(' and ')}`, all, code, [of[1]!]),
    ...of.map(name =>
      accept(`takes ${name} alone`, { ...Object.fromEntries(of.map(one => [one, null])), [name]: all[name] }),
    ),
  ];
}

function requiredCases({ field, other, values, code }: Rule<'required-unless'>, subject: Subject): readonly BodyCase[] {
  const [exempt] = values as [string];
  const { type } = shapeOf(subject.location.shape).fields[other]!;
  const needing = type.kind === 'text' ? type.oneOf!.values.find(value => !values.includes(value)) : undefined;
  return [
    subject.refuse(`has ${field} with ${other} ${needing}`, { [other]: needing, [field]: undefined }, code, [field]),
    subject.accept(`takes no ${field} with ${other} ${exempt}`, { [other]: exempt, [field]: undefined }),
  ];
}

function refusedCases({ field, other, values, code }: Rule<'refused-when'>, subject: Subject): readonly BodyCase[] {
  return values.map(value =>
    subject.refuse(
      `has no ${field} with ${other} ${value}`,
      { [other]: value, [field]: valueFor(subject, field) },
      code,
      [field],
    ),
  );
}

function formatCases(
  { field, other, values, format, code }: Rule<'format-when'>,
  subject: Subject,
): readonly BodyCase[] {
  return values.flatMap(value => [
    subject.refuse(`has a ${format} in ${field} with ${other} ${value}`, { [other]: value, [field]: 'no key' }, code, [
      field,
    ]),
    subject.accept(`takes a ${format} in ${field} with ${other} ${value}`, { [other]: value, [field]: P256 }),
  ]);
}

function removalCases({ names, code }: Rule<'removal-needs-replacement'>, subject: Subject): readonly BodyCase[] {
  return names.flatMap(name => [
    subject.refuse(`removes ${name} only where it adds it`, { add: {}, remove: [name] }, code, ['remove', 0]),
    subject.accept(`replaces ${name}`, { add: { [name]: 'a.example' }, remove: [name] }),
  ]);
}

/** Omits one of the required members. `client_id` and `client_secret` require each other, so a third one is tested without both. */
function without(needs: readonly string[], name: string, field: string): Members {
  return field === 'scopes' ? Object.fromEntries(needs.map(need => [need, undefined])) : { [name]: undefined };
}

/** Values for members that an empty object is not valid for. */
const MEMBERS: Readonly<Record<string, unknown>> = {
  policy: { inbound: [] },
  traffic_policy: { value: 'inbound: []' },
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

/** A public key on the curve P-256, as base64-encoded DER. The private key was discarded. */
const P256 =
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE+ZOUBIXr6d5AeNaw8wRCYGYHrgRkPT05WGE7Gkcs2LBH27nxKbNOVAiIGXERFZLlBURDUoS3nZWy+4yTBMwu0Q==';
