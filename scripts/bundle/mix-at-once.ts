import type { Plugin } from 'rolldown';

/**
 * Has chevrotain put its parser together in one step: it adds two hundred methods to a prototype one by one, of which V8 keeps a new
 * description each time. That took 6 ms, as long as all else that is evaluated at a start.
 */
export const mixAtOnce: Plugin = {
  name: 'mix-at-once',
  load: id => (id.endsWith('/chevrotain/lib/src/parse/parser/utils/apply_mixins.js') ? APPLY_MIXINS : null),
};

const APPLY_MIXINS = `
export function applyMixins(target, sources) {
  // What has no prototype is described by a table.
  const members = Object.create(null);
  for (const { prototype } of sources) {
    const { constructor, ...own } = Object.getOwnPropertyDescriptors(prototype);
    Object.defineProperties(members, own);
  }
  Object.setPrototypeOf(members, Object.prototype);
  Object.setPrototypeOf(target.prototype, members);
}`;
