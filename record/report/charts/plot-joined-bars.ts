import type { RenderFunction } from '@observablehq/plot';

/** Draws all bars of a colour as one path: thousands of elements make a file large and a page slow. */
export const joinedBars: RenderFunction = (index, _scales, values, _dimensions, { document }) => {
  const { x1, x2, y1, y2, fill } = values as unknown as Record<string, readonly (number | string)[]>;
  const paths = new Map<string, string[]>();
  for (const i of index) {
    const colour = String(fill![i]);
    const [left, right] = [Number(x1![i]), Number(x2![i])];
    const [top, bottom] = [Number(y1![i]), Number(y2![i])];
    const path = paths.get(colour) ?? [];
    path.push(`M${short(left)} ${short(top)}H${short(right)}V${short(bottom)}H${short(left)}Z`);
    paths.set(colour, path);
  }
  const group = document.createElementNS('http://www.w3.org/2000/svg', 'g');
  for (const [colour, path] of paths) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    element.setAttribute('fill', colour);
    element.setAttribute('d', path.join(''));
    group.append(element);
  }
  return group;
};

/** A tenth of a pixel is invisible. */
const short = (pixels: number) => String(Math.round(pixels * 10) / 10);
