import { html, type Markup } from '../page/markup.ts';
import { percent } from './head.ts';

interface Share {
  readonly name: string;
  /** Name of the colour, e.g. `running`. */
  readonly colour: string;
  readonly ms: number;
  /** How much it is, in words. */
  readonly text: string;
}

/** Returns a bar of parts of a whole, with its legend. `of` is what a screen reader says before the shares. */
export function shareBar(shares: readonly Share[], of: string): Markup {
  const whole = shares.reduce((sum, { ms }) => sum + ms, 0);
  let left = 0;
  const parts = shares.map(({ name, colour, ms, text }) => {
    const width = whole > 0 ? (1000 * ms) / whole : 0;
    const x = left;
    left += width;
    return html`<rect x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="28" fill="var(--${colour})"><title>${name}: ${text}</title></rect>`;
  });
  const words = shares.map(({ name, ms }) => `${name} ${percent(ms, whole)}`).join(', ');
  const legend = shares.map(
    ({ name, colour, ms }) =>
      html`<li><svg viewBox="0 0 12 12" aria-hidden="true"><rect width="12" height="12" rx="2" fill="var(--${colour})"/></svg>${name} ${percent(ms, whole)}</li>`,
  );
  return html`<svg class="share" viewBox="0 0 1000 28" preserveAspectRatio="none" role="img" aria-label="${of}: ${words}">${parts}</svg>
<ul class="legend" aria-label="${of}">${legend}</ul>`;
}
