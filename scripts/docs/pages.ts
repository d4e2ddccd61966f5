import { compatibilityPage } from './compatibility.ts';
import { decisionsPage } from './decisions.ts';
import { settingsPage } from './settings.ts';
import { statesPage } from './states.ts';

/** The generated pages of docs/ by file name. */
export const PAGES: Readonly<Record<string, () => string>> = {
  'compatibility.md': compatibilityPage,
  'decisions/README.md': decisionsPage,
  'settings.md': settingsPage,
  'states.md': statesPage,
};
