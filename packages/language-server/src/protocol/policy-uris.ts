import { pathOfUri } from './uris.ts';

/** Returns the URI of a policy: that of its file, with the address in the file as fragment. */
export function uriOfPolicy(uri: string, address: string | undefined): string {
  return address ? `${uri}#${encodeURIComponent(address).replaceAll('%2F', '/')}` : uri;
}

/** Returns a policy as commands name it: `/w/deploy.yaml#/spec/policy`. */
export function policyArgument(uri: string): string {
  const [file = '', fragment] = uri.split('#');
  return fragment === undefined ? pathOfUri(file) : `${pathOfUri(file)}#${decodeURIComponent(fragment)}`;
}
