import type { Extension } from '@tollgate/catalog';
import type { Fault } from './shape-faults.ts';

/** Properties of every JavaScript object or class. A value with such a name could change other objects. */
const INHERITED: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

/** Returns the names in an extension, including the parts of dotted ones, that are unsafe as JavaScript properties. */
export function nameFaults(extension: Extension): readonly Fault[] {
  return declaredNames(extension).flatMap(({ name, path }): readonly Fault[] => {
    const inherited = name.split('.').find(part => INHERITED.has(part));
    if (inherited === undefined) return [];
    const message = `\`${inherited}\` is a property of every JavaScript object; choose another name`;
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
