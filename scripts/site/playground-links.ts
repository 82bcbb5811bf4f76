// Links that open the policies of a page in the playground.

import { PROFILES } from '@tollgate/catalog';
import { encodePermalink, type PlaygroundState } from '@tollgate/playground/permalink';
import { detectProfile } from '@tollgate/policy';
import { type CodeBlock, codeBlocks, type SitePage } from './site-page.ts';

const PHASES = [...new Set(PROFILES.flatMap(({ phases }) => phases))].join('|');
const PHASE_IN_YAML = new RegExp(`^["']?(?:${PHASES})["']?:`, 'm');
const PHASE_IN_JSON = new RegExp(`^\\{\\s*"(?:${PHASES})"\\s*:`);

/** Returns true for a block that is a policy. */
export function isPolicy({ language, text }: CodeBlock): boolean {
  return language === 'yaml' ? PHASE_IN_YAML.test(text) : language === 'json' && PHASE_IN_JSON.test(text);
}

/** Returns the fragment of the link that opens a policy, with `#`. */
export async function playgroundFragment(page: SitePage, block: CodeBlock): Promise<string> {
  return `#${await encodePermalink(stateOf(page, block))}`;
}

/** A policy with a title belongs to the other files of the page: those before it as they are at that point, and those that come later. */
function stateOf(page: SitePage, block: CodeBlock): PlaygroundState {
  const active = nameOf(block.file) ?? (block.language === 'json' ? 'policy.json' : 'policy.yaml');
  const titled = codeBlocks(page.markdown).filter(({ file }) => block.file !== undefined && file !== undefined);
  const inOrder = [
    ...titled.filter(({ start }) => start > block.start).toReversed(),
    ...titled.filter(({ start }) => start <= block.start),
  ];
  const files = new Map([
    ...inOrder.filter(one => !isPolicy(one)).map(({ file, text }) => [nameOf(file)!, text] as const),
    [active, block.text] as const,
  ]);
  if (page.settings && !files.has('tollgate.yaml')) files.set('tollgate.yaml', page.settings);
  return {
    files: [...files].map(([name, text]) => ({ name, text })),
    active,
    profile: detectProfile(block.text).profile.name,
  };
}

/** Files of the playground have no folders. */
function nameOf(file: string | undefined): string | undefined {
  return file?.slice(file.lastIndexOf('/') + 1);
}
