import type { SourceText } from '@tollgate/diagnostics';
import { findInDocument } from './find-in-document.ts';
import type { EmbeddedPolicy } from './model/embedded-policy.ts';
import type { CarrierPlace } from './recognition/places.ts';
import { mayHoldPolicy } from './recognition/policy-keys.ts';

/** How to read carriers. */
export interface CarrierSettings {
  /** Where policies are that cannot be detected. */
  readonly places?: readonly CarrierPlace[];
}

/**
 * Returns the policies in a file: the file itself if it is one, and those inside a YAML or JSON file, also in strings that contain YAML or
 * JSON. Empty for a file without any. Recognition is by content; a file that holds no policy costs little more than a search for
 * the names of phases. Never throws on malformed input.
 */
export function findPolicies(file: SourceText, { places = [] }: CarrierSettings = {}): readonly EmbeddedPolicy[] {
  if (places.length === 0 && !mayHoldPolicy(file.text)) return [];
  const path = { document: undefined, steps: [] };
  return findInDocument({ carrier: 'document', file, source: file, layers: [], path, places });
}
