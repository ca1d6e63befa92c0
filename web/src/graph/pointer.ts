interface PointerActs {
  drag(x: number, y: number): void;
  zoom(factor: number, at: { x: number; y: number }): void;
  hover(x: number, y: number): void;
  click(x: number, y: number): void;
}

/** One finger or the mouse moves, two fingers or the wheel bring nearer, a press that stays is a choice. */
export function listenToPointer(holder: HTMLElement, acts: PointerActs): () => void {
  const down = new Map<number, { x: number; y: number }>();
  let travelled = 0;
  const stop = new AbortController();
  const on = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    act: (event: HTMLElementEventMap[Name], x: number, y: number) => void,
  ) =>
    holder.addEventListener(
      name,
      (event) => {
        const { left, top } = holder.getBoundingClientRect();
        const { clientX, clientY } = event as unknown as MouseEvent;
        act(event, clientX - left, clientY - top);
      },
      { signal: stop.signal, passive: false },
    );
  on('pointerdown', (event, x, y) => {
    if (down.size === 0) travelled = 0;
    down.set(event.pointerId, { x, y });
    holder.setPointerCapture(event.pointerId);
  });
  on('pointermove', (event, x, y) => {
    const before = down.get(event.pointerId);
    if (!before) return acts.hover(x, y);
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const [was, is] = [
        Math.hypot(before.x - other.x, before.y - other.y),
        Math.hypot(x - other.x, y - other.y),
      ];
      acts.zoom(is / Math.max(1, was), { x: (x + other.x) / 2, y: (y + other.y) / 2 });
    } else acts.drag(x - before.x, y - before.y);
    travelled += Math.hypot(x - before.x, y - before.y);
    down.set(event.pointerId, { x, y });
  });
  const end = (event: PointerEvent, x: number, y: number) => {
    const held = down.delete(event.pointerId);
    if (held && event.type === 'pointerup' && down.size === 0 && travelled < 5) acts.click(x, y);
  };
  on('pointerup', end);
  on('pointercancel', end);
  on('wheel', (event, x, y) => {
    event.preventDefault();
    acts.zoom(Math.exp(-event.deltaY * 0.0016), { x, y });
  });
  return () => stop.abort();
}
