import type { Plugin } from 'rolldown';

/**
 * Has files of the bundle give each other plain values instead of getters, which are called each time that another file uses a function of
 * theirs. A lint of one policy took 1.5 ms of 48 less, of which half was spent on making the getters. What is assigned to later stays a getter.
 */
export const plainExports: Plugin = {
  name: 'plain-exports',
  renderChunk: code =>
    code.replace(GETTER, (getter, name: string, local: string) =>
      isConstant(local, code) ? `exports.${name} = ${local};` : getter,
    ),
};

/** These stand at the end of a file, where everything has its value. */
const GETTER =
  /^Object\.defineProperty\(exports, (?:"|')([\w$]+)(?:"|'), \{\s*enumerable: true,\s*get: function ?\(\) \{\s*return ([\w$]+);\s*\}\s*\}\);/gm;

/** Names that begin a line, as declarations of modules do. */
function isConstant(name: string, code: string): boolean {
  const escaped = name.replaceAll('$', '\\$');
  return new RegExp(`^(?:const ${escaped} =|(?:async )?function\\*? ${escaped}\\(|var ${escaped} = class )`, 'm').test(
    code,
  );
}
