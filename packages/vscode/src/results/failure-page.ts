import { element, fragment, type Html } from './html.ts';
import { commandLink, heading, type Subject } from './page.ts';

/** A run of the command that has no result. */
export interface FailedRun {
  /** What was tried, such as `Trace`. */
  readonly what: string;
  readonly subject: Subject;
  readonly output: string;
  readonly errors: string;
  readonly isTrusted: boolean;
}

interface Finding {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly uri: string;
  readonly range: { readonly from: { readonly line: number; readonly character: number } };
}

/** Returns a page that says why there is no result: the errors of the policy, or what the command printed. */
export function failurePage({ what, subject, output, errors, isTrusted }: FailedRun): Html {
  const findings = findingsIn(output).filter(({ severity }) => severity === 'error');
  if (findings.length === 0)
    return fragment(
      heading(what, subject),
      /`TOLLGATE_TRUST=0`/.test(errors) && !isTrusted
        ? element(
            'p',
            {},
            'This workspace is not trusted, so its code does not run. Trust the workspace if you know its authors.',
          )
        : undefined,
      element('pre', { class: 'failure' }, errors || output),
    );
  return fragment(
    heading(what, subject),
    element('p', { class: 'failure' }, 'The policy has errors; fix them first.'),
    element('ul', { class: 'findings' }, findings.map(findingItem)),
  );
}

function findingItem({ code, message, uri, range: { from } }: Finding): Html {
  return element(
    'li',
    {},
    commandLink('tollgate.openLocation', [uri, from.line, from.character], `line ${from.line + 1}`),
    ' ',
    message,
    ' ',
    commandLink('tollgate.explainCode', [code], element('code', {}, code)),
  );
}

function findingsIn(output: string): readonly Finding[] {
  try {
    return (JSON.parse(output) as { readonly diagnostics?: readonly Finding[] }).diagnostics ?? [];
  } catch {
    return [];
  }
}
