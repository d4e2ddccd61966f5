/** Hashes of a tile, and entries of a bundle (C2SP tlog-tiles). */
export const TILE_WIDTH = 256;

/** A tile of hashes, or a bundle of entries, that begins at `index * 256`. */
export interface Tile {
  readonly level: number | 'entries';
  readonly index: number;
  /** 256 for a full tile. */
  readonly width: number;
}

/** Returns the path of a tile below the log's folder, e.g. `tile/0/x001/x234/067.p/5`. */
export function tilePath({ level, index, width }: Tile): string {
  const partial = width === TILE_WIDTH ? '' : `.p/${width}`;
  return `tile/${level}/${groups(index)}${partial}`;
}

/** Returns the folder of the partial forms of a tile. */
export const partialTiles = ({ level, index }: Tile): string => `tile/${level}/${groups(index)}.p/`;

/** Returns the tile of a path; undefined if the path is not exactly that of a tile. */
export function tileAt(path: string): Tile | undefined {
  const [, level, digits, width] =
    /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path) ?? [];
  if (level === undefined || digits === undefined) return undefined;
  const tile: Tile = {
    level: level === 'entries' ? level : Number(level),
    index: Number(digits.replaceAll(/x|\//g, '')),
    width: width === undefined ? TILE_WIDTH : Number(width),
  };
  const isWhole = tile.width >= 1 && (width === undefined || tile.width < TILE_WIDTH);
  return isWhole && tilePath(tile) === path ? tile : undefined;
}

/** How many hashes of a level are in its partial tile, in a log of this size. */
export const widthAt = (size: number, level: number): number =>
  Math.floor(size / TILE_WIDTH ** level) % TILE_WIDTH;

/** How many levels of tiles a log of this size has. */
export function levelsOf(size: number): number {
  let levels = 0;
  while (Math.floor(size / TILE_WIDTH ** levels) > 0) levels += 1;
  return levels;
}

/** The tiles of hashes and the bundles of entries of a log of this size. */
export function tilesOf(size: number): readonly Tile[] {
  const levels = Array.from({ length: levelsOf(size) }, (_, level) => tilesOfLevel(size, level));
  return [...levels.flat(), ...tilesOfLevel(size, 0).map((tile) => ({ ...tile, level: 'entries' as const }))];
}

function tilesOfLevel(size: number, level: number): Tile[] {
  const full = Math.floor(size / TILE_WIDTH ** (level + 1));
  const tiles = Array.from({ length: full }, (_, index) => ({ level, index, width: TILE_WIDTH }));
  const width = widthAt(size, level);
  return width === 0 ? tiles : [...tiles, { level, index: full, width }];
}

function groups(index: number): string {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const parts = padded.match(/\d{3}/g) ?? [];
  return parts.map((part, place) => (place === parts.length - 1 ? part : `x${part}`)).join('/');
}
