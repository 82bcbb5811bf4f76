import type { Absence, FunctionFact, Place, Sample, VariableFact } from './fact.ts';
import { isAvailable, type Profile } from './profile.ts';

/** A name with its type, in the notation of the checker. */
export interface NamedType {
  readonly name: string;
  readonly type: string;
  readonly doc: string;
}

/** A field of an object type, and what happens where the edge has no value for it. */
export interface FieldDeclaration extends NamedType {
  readonly absent?: Absence;
}

/** An object type with the fields that exist at one place. */
export interface ObjectDeclaration {
  readonly name: string;
  readonly doc: string;
  readonly fields: readonly FieldDeclaration[];
}

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
  const fields = new Map<string, Map<string, FieldDeclaration>>();
  const roots = new Set<string>();
  for (const fact of variablesAt(profile, place)) {
    const parts = fact.path.split('.');
    roots.add(parts[0]!);
    addFields(fields, fact, profile);
  }
  const objects = [...fields].map(([name, found]) => ({
    name,
    doc: docOf(profile, name),
    fields: [...found.values()],
  }));
  const explicit = profile.objects.flatMap(object => (object.fields ? [{ ...object, fields: object.fields }] : []));
  return {
    variables: [...roots].map(name => ({ name, type: name, doc: docOf(profile, name) })),
    objects: [...objects, ...explicit],
    functions: profile.functions.filter(fact => isAvailable(fact, place)),
  };
}

/** The inputs that expressions at a place may read. */
export function variablesAt(profile: Profile, place: Place): readonly VariableFact[] {
  return profile.variables.filter(fact => isAvailable(fact, place));
}

/** An activation made of the sample values of a place, as plain nested objects. */
export function sampleActivation(profile: Profile, place: Place): { readonly [name: string]: Sample } {
  const activation: { [name: string]: Sample } = {};
  for (const fact of variablesAt(profile, place)) {
    const parts = fact.path.split('.');
    let object = activation;
    for (const part of parts.slice(0, -1)) {
      object[part] ??= {};
      object = object[part] as { [name: string]: Sample };
    }
    object[parts.at(-1)!] = fact.sample;
  }
  return activation;
}

function addFields(fields: Map<string, Map<string, FieldDeclaration>>, fact: VariableFact, profile: Profile): void {
  const parts = fact.path.split('.');
  for (let depth = 1; depth < parts.length; depth += 1) {
    const owner = parts.slice(0, depth).join('.');
    const name = parts[depth]!;
    const isLeaf = depth === parts.length - 1;
    const path = `${owner}.${name}`;
    const declared = isLeaf ? fact : { type: path, doc: docOf(profile, path) };
    const found = fields.get(owner) ?? new Map<string, FieldDeclaration>();
    fields.set(owner, found.set(name, { ...pickDeclared(declared), name }));
  }
}

function pickDeclared(fact: { type: string; doc: string; absent?: Absence }): Omit<FieldDeclaration, 'name'> {
  const { type, doc, absent } = fact;
  return absent ? { type, doc, absent } : { type, doc };
}

function docOf(profile: Profile, objectName: string): string {
  return profile.objects.find(object => object.name === objectName)?.doc ?? '';
}
