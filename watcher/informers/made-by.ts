import type { Home } from '../../contracts/home.ts';
import { LABELS } from '../../contracts/labels.ts';

/** Selects what workers of this installation make for jobs. What others make is never read. */
export const madeBy = ({ installation }: Pick<Home, 'installation'>): string =>
  `${LABELS.job},${LABELS.installation}=${installation}`;
