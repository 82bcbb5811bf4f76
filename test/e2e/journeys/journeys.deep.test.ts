import { afterAll, beforeAll, it } from 'vitest';
import { createWorkplace, type Workplace } from '../../support/workplace.ts';
import { followPage } from './follow-page.ts';
import { OTHER_PAGES } from './pages.ts';

let work: Workplace;

beforeAll(async () => {
  work = await createWorkplace();
});

afterAll(() => work?.remove());

it.each(OTHER_PAGES)('every command of $path does what the page says', page => followPage(work, page));
