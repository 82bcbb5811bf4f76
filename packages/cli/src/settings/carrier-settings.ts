import { isMarkdown, type Project, parsePartPath, type TemplateKind } from '@tollgate/policy';
import type { CarrierSettingsOf } from '../input/carrier-settings-of.ts';
import { matchesPatterns } from './file-patterns.ts';

/** Combines the settings of a project and the template language of the command line. */
export function createCarrierSettings(
  { carriers = [], templates = [] }: Project,
  directory: string,
  language: TemplateKind | undefined,
): CarrierSettingsOf {
  return async file => ({
    places: carriers.flatMap(({ files, kind, path }) => {
      const part = parsePartPath(path);
      if (!part || (files && !matchesPatterns(files, file, directory))) return [];
      return [{ ...(kind !== undefined && { kind }), path: part.steps }];
    }),
    templates: language ?? templates.findLast(one => matchesPatterns(one.files, file, directory))?.language,
    ...(isMarkdown(file) && { fences: (await import('@tollgate/policy/markdown')).codeFences }),
  });
}
