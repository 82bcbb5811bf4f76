import type { AST } from '@eslint-community/regexpp';
import type { Fix } from '@tollgate/diagnostics';
import { editScalar } from '@tollgate/policy';
import { replacementOf } from '../../analyses/url-walk.ts';
import { entryOfRole, isRedirect } from '../../readers/actions.ts';
import { isPlainPattern } from '../../readers/pattern-tree.ts';
import type { ProfileRoles } from '../../readers/profile-roles.ts';
import { namedGroups, placeIn, type Replacement } from '../../readers/replacements.ts';
import { originsIn } from '../../readers/value-origin.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `from: ^/a/.*$`, `to: /b`. */
export const QUERY_DROPPED: LintRule = {
  id: 'url/query-dropped',
  severity: 'warning',
  summary: 'replacement that drops the query string',
  rationale:
    'A pattern is matched against the whole URL, and one that ends in `.*` also consumes the query string. If the replacement inserts ' +
    'neither the query nor a group that contains it, all parameters are lost. A replacement of every URL by one page is not reported.',
  bad: {
    policy: `\
inbound:
  - name: move the catalogue
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/catalogue.*$", to: "«$1/books»" } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: move the catalogue
    actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/catalogue.*$", to: "$1/books$is_args$args" } }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended'],
  check: {
    action: (action, _, context) => {
      const replacement = replacementOf(action, context.file);
      if (!replacement) return;
      const isWhole = replacesWithPath(replacement, context.file.roles);
      if (!(isWhole || consumesQuery(replacement)) || namesQuery(replacement, context.file.roles)) return;
      if (leadsToOnePage(replacement)) return;
      const path = context.file.roles.paths.get('query');
      const hint = replacement.hasVariables ? '`$is_args$args`' : `\`?\${${path}}\``;
      context.report({
        range: placeIn(replacement.to, { start: 0, end: replacement.to.value.length }),
        message: `${isWhole ? 'whole URL is replaced without its query' : 'pattern consumes the query, and the replacement drops it'}; add ${hint} to keep it`,
        fixes: addingQuery(replacement, path, context.file.source.text),
        // Redirects to another page often need no parameters.
        ...(isRedirect(action) && { severity: 'info' as const }),
      });
    },
  },
};

/** True if every URL becomes the same one: whoever drops all paths on purpose has no use for the query. */
function leadsToOnePage({ from, references, to }: Replacement): boolean {
  return references.length === 0 && !to.value.includes('${') && /^\^?\/?\.[*+]\$?$/.test(from?.value ?? '');
}

/** Appends the query. Offers nothing for a replacement with a query or fragment. */
function addingQuery({ to, hasVariables }: Replacement, path: string | undefined, document: string): readonly Fix[] {
  const { value, node } = to;
  if (!node.text || /[?#]/.test(value.replaceAll(/\$\{[^}]*\}/g, '')) || (!hasVariables && path === undefined))
    return [];
  const query = hasVariables ? '$is_args$args' : `\${${path} != "" ? "?" : ""}\${${path}}`;
  const edits = editScalar(document, node.text, [
    { range: { start: value.length, end: value.length }, newText: query },
  ]);
  return [{ title: 'keep the query', applicability: 'suggestion', edits }];
}

const QUERY_VARIABLES = /^(?:args|query_string|is_args|uri|arg_.*)$/;

/** True if the action replaces the whole URL and inserts its path: the query most likely belongs to it. */
function replacesWithPath({ action, to }: Replacement, roles: ProfileRoles): boolean {
  if (entryOfRole(action, 'url-pattern')) return false;
  return action.expressions.some(
    ({ text, typed }) =>
      text === to.node.text && typed && originsIn(typed, roles).some(({ origin }) => origin.role === 'path'),
  );
}

/** True if the end of the pattern matches anything, outside groups that the replacement inserts. */
function consumesQuery(replacement: Replacement): boolean {
  // A pattern without special characters ends in no repetition; skip parsing it.
  if (replacement.from && isPlainPattern(replacement.from.value)) return false;
  const { tree } = replacement;
  const named = namedGroups(replacement);
  if (!tree || !named || tree.root.alternatives.length !== 1) return false;
  const elements = tree.root.alternatives[0]!.elements;
  const last = elements.at(-1);
  const isEnd = last?.type === 'Assertion' && last.kind === 'end';
  return isAnything(isEnd ? elements.at(-2) : last, index => named.has(index), tree.groups);
}

/** True for `.*`, `.+`, and groups ending in these that the replacement does not insert. */
function isAnything(
  node: AST.Element | undefined,
  isNamed: (group: number) => boolean,
  groups: readonly AST.CapturingGroup[],
): boolean {
  if (node?.type === 'Quantifier' && node.max === Number.POSITIVE_INFINITY) {
    return node.element.type === 'CharacterSet' && node.element.kind === 'any';
  }
  const inner = node?.type === 'Quantifier' ? node.element : node;
  if (inner?.type !== 'CapturingGroup' && inner?.type !== 'Group') return false;
  if (inner.type === 'CapturingGroup' && isNamed(groups.indexOf(inner))) return false;
  return inner.alternatives.length === 1 && isAnything(inner.alternatives[0]!.elements.at(-1), isNamed, groups);
}

function namesQuery({ references, action, to }: Replacement, roles: ProfileRoles): boolean {
  if (references.some(({ name, kind }) => kind === 'variable' && QUERY_VARIABLES.test(name))) return true;
  // The whole match includes the query.
  if (references.some(({ name }) => name === '0')) return true;
  return action.expressions.some(
    ({ text, typed }) =>
      text === to.node.text &&
      (!typed || originsIn(typed, roles).some(({ origin }) => HOLDS_QUERY.has(origin.role ?? ''))),
  );
}

const HOLDS_QUERY: ReadonlySet<string> = new Set(['query', 'path-and-query', 'url', 'query-parameters']);
