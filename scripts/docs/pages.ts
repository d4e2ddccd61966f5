import { compatibilityPage } from './compatibility.ts';
import { reasonsPage } from './reasons.ts';
import { statesPage } from './states.ts';

/** The generated pages of docs/ by file name. */
export const PAGES: Readonly<Record<string, () => string>> = {
  'compatibility.md': compatibilityPage,
  'reasons.md': reasonsPage,
  'states.md': statesPage,
};
