import { fileURLToPath, pathToFileURL } from 'node:url';

/** Returns the path of a file URI; a URI of another scheme, such as `untitled:`, stands for itself. */
export function pathOfUri(uri: string): string {
  if (!uri.startsWith('file:')) return uri;
  try {
    return fileURLToPath(uri);
  } catch {
    return uri;
  }
}

/** Returns the URI of a path. */
export function uriOfPath(path: string): string {
  return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) ? pathToFileURL(path).href : path;
}
