import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where Chromium lies; undefined where there is none. */
export const CHROMIUM = PLACES.find(path => existsSync(path));

if (CHROMIUM === undefined) console.warn(`pages are not tested in a browser: none of ${PLACES.join(', ')} is there`);

/** Starts Chromium. It asks nothing of the network by itself. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    ...(CHROMIUM !== undefined && { executablePath: CHROMIUM }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
