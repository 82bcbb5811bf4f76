import type { Absence, EvaluationContext, FunctionFact, NamedType, Sample, VariableFact } from './schema/fact.ts';
import { isAvailable, type Profile } from './schema/profile.ts';

/** A field of an object type, and what reads of it return when the edge has no value for it. */
export interface FieldDeclaration extends NamedType {
  readonly absent?: Absence;
}

/** An object type with the fields that exist in one evaluation context. */
export interface ObjectDeclaration {
  readonly name: string;
  readonly doc: string;
  readonly fields: readonly FieldDeclaration[];
  /** Whether values are strings that also have fields: a dual type. */
  readonly isString?: boolean;
}

/** The key that holds the string of a dual-typed value. No expression can select it. */
export const STRING_KEY = '@text';

/** What expressions in one evaluation context may use. */
export interface Declarations {
  readonly variables: readonly NamedType[];
  readonly objects: readonly ObjectDeclaration[];
  readonly functions: readonly FunctionFact[];
}

/**
 * Returns the declarations of an evaluation context. The first part of a path becomes a variable of an object type, the other parts
 * become fields. The object type of `conn.Geo` is named `conn.Geo`.
 */
export function declarationsAt(profile: Profile, context: EvaluationContext): Declarations {
  const facts = variablesAt(profile, context);
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
    ...(leaves.has(name) && { isString: true }),
  }));
  const explicit = profile.objects.flatMap(object => (object.fields ? [{ ...object, fields: object.fields }] : []));
  const roots = [...new Set(facts.map(fact => fact.path.split('.')[0]!))];
  return {
    variables: roots.map(root => fieldOf(root)),
    objects: [...objects, ...explicit],
    functions: profile.functions.filter(fact => isAvailable(fact, context)),
  };
}

/** Maps each path with children to the paths of its children. */
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

/** Returns the inputs that expressions may read in an evaluation context. */
export function variablesAt(profile: Profile, context: EvaluationContext): readonly VariableFact[] {
  return profile.variables.filter(fact => isAvailable(fact, context));
}

/** A value of an activation: as in JSON, with timestamps as `Date`. */
export type SampleValue = Sample | Date | { readonly [key: string]: SampleValue };

/** Returns an activation with the sample values of an evaluation context, as nested plain objects. */
export function sampleActivation(
  profile: Profile,
  context: EvaluationContext,
): { readonly [name: string]: SampleValue } {
  const activation: MutableSample = {};
  const facts = variablesAt(profile, context);
  const owners = membersByOwner(facts);
  for (const fact of facts) {
    const parts = fact.path.split('.');
    const key = owners.has(fact.path) ? STRING_KEY : parts.pop()!;
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
