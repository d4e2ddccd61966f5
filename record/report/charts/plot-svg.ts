import { type Markup, trusted } from '../page/markup.ts';

/** What linkedom's elements and a browser's have in common. */
interface SvgElement {
  readonly outerHTML: string;
  querySelectorAll(selector: string): Iterable<SvgElement>;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  remove(): void;
}

/**
 * Returns a plot as SVG for the page. Plot's own style would need a hole in the page's content security policy, and its
 * labels are not allowed on groups.
 */
export function finished(plot: SvgElement, description: string): Markup {
  for (const style of [...plot.querySelectorAll('style')]) style.remove();
  for (const element of [plot, ...plot.querySelectorAll('*')])
    for (const name of ['aria-label', 'aria-hidden', 'style', 'class']) element.removeAttribute(name);
  for (const name of ['width', 'height']) plot.removeAttribute(name);
  plot.setAttribute('role', 'img');
  plot.setAttribute('aria-label', description);
  return trusted(plot.outerHTML);
}
