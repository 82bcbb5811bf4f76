import type { Extension } from '@tollgate/catalog';
import type { Fault } from './shape-faults.ts';

/** What every object of JavaScript has, and what every class has. A value under such a name would change what others are. */
const INHERITED: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

/** Names in an extension that cannot be those of values in JavaScript, with all of the parts of a name with dots. */
export function nameFaults(extension: Extension): readonly Fault[] {
  return declaredNames(extension).flatMap(({ name, path }): readonly Fault[] => {
    const inherited = name.split('.').find(part => INHERITED.has(part));
    if (inherited === undefined) return [];
    const message = `\`${inherited}\` is a name that every object of JavaScript has; choose another name`;
    return [{ code: 'settings/bad-declaration', path, message }];
  });
}

interface DeclaredName {
  readonly name: string;
  readonly path: Fault['path'];
}

function declaredNames({
  variables = [],
  objects = [],
  functions = [],
  actions = [],
}: Extension): readonly DeclaredName[] {
  return [
    ...variables.map(({ path }, index) => ({ name: path, path: ['variables', index, 'path'] })),
    ...objects.flatMap(({ name, fields = [] }, index) => [
      { name, path: ['objects', index, 'name'] },
      ...fields.map((field, at) => ({ name: field.name, path: ['objects', index, 'fields', at, 'name'] })),
    ]),
    ...functions.flatMap(({ name, params }, index) => [
      { name, path: ['functions', index, 'name'] },
      ...params.map((param, at) => ({ name: param.name, path: ['functions', index, 'params', at, 'name'] })),
    ]),
    ...actions.flatMap(({ type, config = [] }, index) => [
      { name: type, path: ['actions', index, 'type'] },
      ...config.map((field, at) => ({ name: field.name, path: ['actions', index, 'config', at, 'name'] })),
    ]),
  ];
}
