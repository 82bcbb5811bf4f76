import type { Absence, FunctionFact, NamedType, Place, Sample, VariableFact } from './schema/fact.ts';
import { isAvailable, type Profile } from './schema/profile.ts';

/** A field of an object type, and what happens where the edge has no value for it. */
export interface FieldDeclaration extends NamedType {
  readonly absent?: Absence;
}

/** An object type with the fields that exist at one place. */
export interface ObjectDeclaration {
  readonly name: string;
  readonly doc: string;
  readonly fields: readonly FieldDeclaration[];
  /** It is a text, too: of a dual type. */
  readonly isText?: boolean;
}

/** In a value of a dual type, the key of its text. No expression can select it. */
export const TEXT_KEY = '@text';

/** What expressions at one place may use. */
export interface Declarations {
  readonly variables: readonly NamedType[];
  readonly objects: readonly ObjectDeclaration[];
  readonly functions: readonly FunctionFact[];
}

/**
 * Gives the declarations of a place: paths become a variable of an object type for their first part, and fields. The object
 * type of `conn.Geo` is named `conn.Geo`.
 */
export function declarationsAt(profile: Profile, place: Place): Declarations {
  const facts = variablesAt(profile, place);
  const leaves = new Map(facts.map(fact => [fact.path, fact]));
  const owned = membersByOwner(facts);
  const fieldOf = (path: string): FieldDeclaration => {
    const { type, absent, doc } = leaves.get(path) ?? { type: path, doc: docOf(profile, path) };
    return { name: path.split('.').at(-1)!, type: owned.has(path) ? path : type, doc, ...(absent && { absent }) };
  };
  const objects = [...owned].map(([name, members]) => ({
    name,
    doc: docOf(profile, name),
    fields: [...members].map(fieldOf),
    ...(leaves.has(name) && { isText: true }),
  }));
  const explicit = profile.objects.flatMap(object => (object.fields ? [{ ...object, fields: object.fields }] : []));
  const roots = [...new Set(facts.map(fact => fact.path.split('.')[0]!))];
  return {
    variables: roots.map(root => fieldOf(root)),
    objects: [...objects, ...explicit],
    functions: profile.functions.filter(fact => isAvailable(fact, place)),
  };
}

/** The paths directly below each path that has some. */
function membersByOwner(facts: readonly VariableFact[]): ReadonlyMap<string, ReadonlySet<string>> {
  const owned = new Map<string, Set<string>>();
  for (const { path } of facts) {
    const parts = path.split('.');
    for (let depth = 1; depth < parts.length; depth += 1) {
      const owner = parts.slice(0, depth).join('.');
      const members = owned.get(owner) ?? new Set();
      owned.set(owner, members.add(parts.slice(0, depth + 1).join('.')));
    }
  }
  return owned;
}

/** The inputs that expressions at a place may read. */
export function variablesAt(profile: Profile, place: Place): readonly VariableFact[] {
  return profile.variables.filter(fact => isAvailable(fact, place));
}

/** A value of an activation: as in JSON, but moments are a `Date`. */
export type SampleValue = Sample | Date | { readonly [key: string]: SampleValue };

/** An activation made of the sample values of a place, as plain nested objects. */
export function sampleActivation(profile: Profile, place: Place): { readonly [name: string]: SampleValue } {
  const activation: MutableSample = {};
  const facts = variablesAt(profile, place);
  const owners = membersByOwner(facts);
  for (const fact of facts) {
    const parts = fact.path.split('.');
    const key = owners.has(fact.path) ? TEXT_KEY : parts.pop()!;
    let object = activation;
    for (const part of parts) {
      object[part] ??= {};
      object = object[part] as MutableSample;
    }
    object[key] = fact.type === 'timestamp' ? new Date(String(fact.sample)) : fact.sample;
  }
  return activation;
}

type MutableSample = { [key: string]: SampleValue };

function docOf(profile: Profile, objectName: string): string {
  return profile.objects.find(object => object.name === objectName)?.doc ?? '';
}
