import { type Extension, PROFILES } from '@tollgate/catalog';
import { nearest } from '@tollgate/cel/tooling';
import { namesInType, TYPE_NAMES } from '../expression/type-notation.ts';
import type { Fault } from './shape-faults.ts';

/** A type in an extension, and its path. */
interface WrittenType {
  readonly notation: string;
  readonly path: Fault['path'];
}

/** Returns the types of an extension that are malformed or undeclared: an object type without fields would hide that. */
export function typeFaults(extension: Extension): readonly Fault[] {
  const written = writtenTypes(extension);
  if (written.length === 0) return [];
  const known = new Set([...TYPE_NAMES, ...objectNames(extension)]);
  return written.flatMap(({ notation, path }): readonly Fault[] => {
    const names = namesInType(notation);
    if (!names) {
      const message = `expected a type such as \`string\` or \`list(int)\`, found \`${notation}\``;
      return [{ code: 'settings/bad-declaration', path, message }];
    }
    const unknown = names.find(name => !known.has(name));
    if (unknown === undefined) return [];
    const meant = nearest(unknown, known);
    const hint = meant === undefined ? '; declare it under `objects`' : `; did you mean \`${meant}\`?`;
    return [{ code: 'settings/bad-declaration', path, message: `unknown type \`${unknown}\`${hint}` }];
  });
}

function writtenTypes({ variables = [], functions = [], objects = [] }: Extension): readonly WrittenType[] {
  return [
    ...variables.map(({ type }, index) => ({ notation: type, path: ['variables', index, 'type'] })),
    ...functions.flatMap(({ params, result }, index) => [
      ...params.map(({ type }, at) => ({ notation: type, path: ['functions', index, 'params', at, 'type'] })),
      { notation: result, path: ['functions', index, 'result'] },
    ]),
    ...objects.flatMap(({ fields = [] }, index) =>
      fields.map(({ type }, at) => ({ notation: type, path: ['objects', index, 'fields', at, 'type'] })),
    ),
  ];
}

/** Object types are declared, or implied by the paths of variables. */
function objectNames({ variables = [], objects = [] }: Extension): readonly string[] {
  const paths = [...PROFILES.flatMap(profile => profile.variables), ...variables].map(({ path }) => path);
  const declared = [...PROFILES.flatMap(profile => profile.objects), ...objects].map(({ name }) => name);
  return [...declared, ...paths.flatMap(owners)];
}

function owners(path: string): readonly string[] {
  const parts = path.split('.');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
}
