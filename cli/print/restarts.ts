export const restartsText = (restarts: number): string =>
  restarts === 1 ? '1 restart' : `${restarts} restarts`;
