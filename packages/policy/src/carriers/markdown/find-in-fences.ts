import type { MappedText } from '../../document/model/mapped-text.ts';
import { findInDocument, innerSource, type SearchContext } from '../documents/find-in-document.ts';
import type { EmbeddedPolicy } from '../model/embedded-policy.ts';
import { mentionsPhase } from '../recognition/policy-keys.ts';
import { findInTerraform } from '../terraform/find-in-terraform.ts';

/** A code block of a Markdown file. */
export interface CodeFence {
  /** The language, in lower case; empty if none is given. */
  readonly language: string;
  /** Its contents, mapped to the file. */
  readonly text: MappedText;
}

const DOCUMENTS = /^(?:|ya?ml|jsonc?)$/;
const TERRAFORM = /^(?:hcl|terraform|tf)$/;

/** Returns the policies in code blocks. The address of a block is its number in the file, from 1. */
export function findInFences(context: SearchContext, fences: readonly CodeFence[]): readonly EmbeddedPolicy[] {
  return fences.flatMap(({ language, text }, index) => {
    if (!mentionsPhase(text.value)) return [];
    const path = { document: index + 1, steps: [] };
    const layers = [{ style: 'fence', text, outer: context.file.text } as const];
    const source = innerSource(context.file, path, text.value);
    const inner = { ...context, path, layers, source };
    if (TERRAFORM.test(language)) return findInTerraform(inner);
    return DOCUMENTS.test(language) ? findInDocument({ ...inner, carrier: 'markdown' }) : [];
  });
}
