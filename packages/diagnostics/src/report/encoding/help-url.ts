/** Returns the URL of a code's reference page; undefined if the pages are not published. */
export function helpUrl(code: string, docsUrl: string | undefined): string | undefined {
  if (docsUrl === undefined) return undefined;
  const [area = '', name = ''] = code.split('/');
  return `${docsUrl.replace(/\/+$/, '')}/${area}.md#${area}${name}`;
}
