/** What this needs of an element of the DOM. */
interface Drawn {
  readonly outerHTML: string;
  querySelectorAll(selector: string): Iterable<{ remove(): void }>;
  setAttribute(name: string, value: string): void;
}

/** A plot as a file of its own, without Plot's style, which is for pages. */
export function finishedSvg(plot: Drawn, label: string): string {
  for (const style of [...plot.querySelectorAll('style')]) style.remove();
  plot.setAttribute('role', 'img');
  plot.setAttribute('aria-label', label);
  plot.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return `${plot.outerHTML}\n`;
}
