export interface Stamp {
  canvas: HTMLCanvasElement;
  /** Half of its side on the screen. */
  half: number;
}

/** Larger circles are few and are drawn as they are. */
export const largestStamp = 16;

/** Small circles are drawn once for each colour and size and put down from then on, which is much quicker. */
export function stamps(): (colour: string, radius: number) => Stamp {
  const made = new Map<string, Stamp>();
  return (colour, radius) => {
    const step = Math.round(radius * 4) / 4;
    const dense = devicePixelRatio || 1;
    const key = `${colour} ${step} ${dense}`;
    let stamp = made.get(key);
    if (!stamp) {
      const half = Math.ceil(step) + 1;
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = 2 * half * dense;
      const context = canvas.getContext('2d')!;
      context.scale(dense, dense);
      context.fillStyle = colour;
      context.beginPath();
      context.arc(half, half, step, 0, Math.PI * 2);
      context.fill();
      stamp = { canvas, half };
      if (made.size > 500) made.clear();
      made.set(key, stamp);
    }
    return stamp;
  };
}
