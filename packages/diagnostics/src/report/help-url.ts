/** The reference page of a code, where the pages are published. */
export function helpUrl(code: string, docsUrl: string | undefined): string | undefined {
  if (docsUrl === undefined) return undefined;
  const [area = '', name = ''] = code.split('/');
  return `${docsUrl.replace(/\/+$/, '')}/${area}.md#${area}${name}`;
}
