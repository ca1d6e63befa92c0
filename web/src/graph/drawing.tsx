import { type KeyboardEvent, useEffect, useRef } from 'react';
import { type Camera, fit, type Size, toDrawing, toScreen, zoom } from './camera.ts';
import { onThemeChange, readColours } from './colours.ts';
import { gridOf } from './grid.ts';
import { paintAbove, paintBelow, radiusOf, sceneBox } from './paint.ts';
import { lineColours } from './paint-lines.ts';
import { listenToPointer } from './pointer.ts';
import type { Look, Scene } from './scene.ts';
import type { Drawn } from './shape.ts';
import { inSlices } from './slices.ts';
import { stamps } from './stamps.ts';

/** A graph that is moved like a map. Everything in it is also in the list, which is the way without a pointer. */
export default function Drawing(props: {
  drawn: Drawn;
  selected: string | undefined;
  onSelect(id: string): void;
  label: string;
}) {
  const holder = useRef<HTMLElement>(null);
  const below = useRef<HTMLCanvasElement>(null);
  const above = useRef<HTMLCanvasElement>(null);
  const latest = useRef(props);
  const view = useRef<View>(undefined);
  latest.current = props;
  const { drawn, selected, label } = props;

  useEffect(() => {
    const opened = openView(holder.current!, [below.current!, above.current!], drawn, {
      selected: () => latest.current.selected,
      select: (id) => latest.current.onSelect(id),
    });
    view.current = opened;
    return opened.close;
  }, [drawn]);

  useEffect(() => view.current?.repaint(), [selected]);

  const onKey = (event: KeyboardEvent) => {
    if (view.current?.key(event.key)) event.preventDefault();
  };
  return (
    <section
      ref={holder}
      className="drawing"
      aria-label={label}
      aria-roledescription="drawing, moved with the arrow keys, plus and minus; the list holds the same"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved by keyboard.
      tabIndex={0}
      onKeyDown={onKey}
    >
      <canvas ref={below} />
      <canvas ref={above} />
    </section>
  );
}

interface View {
  repaint(): void;
  /** True where the key meant something. */
  key(key: string): boolean;
  close(): void;
}

function openView(
  holder: HTMLElement,
  /** Lines lie on a layer of their own, so that they can be drawn bit by bit under what is there at once. */
  layers: [below: HTMLCanvasElement, above: HTMLCanvasElement],
  drawn: Drawn,
  chosen: { selected(): string | undefined; select(id: string): void },
): View {
  const [below, above] = layers.map((canvas) => canvas.getContext('2d')!) as [
    CanvasRenderingContext2D,
    CanvasRenderingContext2D,
  ];
  const lines = inSlices();
  let drawnBelow = '';
  const box = sceneBox(drawn);
  const linksOf = new Map<string, number[]>();
  drawn.links.forEach(({ source, target }, at) => {
    for (const end of [source, target]) {
      const known = linksOf.get(end);
      if (known) known.push(at);
      else linksOf.set(end, [at]);
    }
  });
  const colours = readColours(holder);
  const scene: Scene = {
    drawn,
    grid: gridOf(drawn.nodes, box),
    place: new Map(drawn.nodes.map(({ id }, at) => [id, at])),
    linksOf,
    largest: drawn.nodes.reduce((most, { size }) => Math.max(most, size), 0),
    colours,
    lineColour: lineColours(colours),
    stamp: stamps(),
  };
  let size: Size = { width: 1, height: 1 };
  let camera: Camera = { x: 0, y: 0, scale: 1 };
  let hovered: string | undefined;
  let movedAt = 0;
  let frame = 0;
  let rest: ReturnType<typeof setTimeout> | undefined;
  const padding = drawn.scaled ? 16 : 56;
  // A large map is drawn a little beyond the view, so that short ways are only a shift of what is drawn.
  const beyond = drawn.scaled ? 64 : 0;
  let shift = { x: 0, y: 0 };
  const slide = (x: number, y: number) => {
    shift = { x, y };
    for (const canvas of layers) canvas.style.transform = `translate(${x}px, ${y}px)`;
  };

  const draw = () => {
    frame = 0;
    const moving = performance.now() - movedAt < 120;
    const dense = devicePixelRatio || 1;
    const drawnSize = { width: size.width + 2 * beyond, height: size.height + 2 * beyond };
    const look: Look = { camera, size: drawnSize, selected: chosen.selected(), hovered, moving };
    for (const context of [below, above]) context.setTransform(dense, 0, 0, dense, 0, 0);
    // What is only pointed at changes no line.
    const key = JSON.stringify({ ...look, hovered: undefined, dense, theme: scene.colours.ground });
    if (key !== drawnBelow) lines.start(paintBelow(below, scene, look));
    drawnBelow = key;
    paintAbove(above, scene, look);
    slide(0, 0);
    clearTimeout(rest);
    if (moving) rest = setTimeout(repaint, 140);
  };
  const repaint = () => {
    frame ||= requestAnimationFrame(draw);
  };
  const move = (next: Camera) => {
    const whole = fit(box, size, padding).scale;
    camera = { ...next, scale: Math.min(whole * 400, Math.max(whole * 0.4, next.scale)) };
    movedAt = performance.now();
    repaint();
  };
  const measure = () => {
    const first = size.width === 1;
    size = { width: holder.clientWidth, height: holder.clientHeight };
    const dense = devicePixelRatio || 1;
    for (const canvas of layers) {
      const [width, height] = [size.width + 2 * beyond, size.height + 2 * beyond];
      canvas.width = width * dense;
      canvas.height = height * dense;
      Object.assign(canvas.style, {
        left: `${-beyond}px`,
        top: `${-beyond}px`,
        width: `${width}px`,
        height: `${height}px`,
      });
    }
    drawnBelow = '';
    if (first) camera = fit(box, size, padding);
    repaint();
  };
  const pick = (x: number, y: number): string | undefined => {
    const reach = (drawn.scaled ? scene.largest : 24 / camera.scale) + 4 / camera.scale;
    const [atX, atY] = toDrawing(camera, size, x, y);
    let best: { id: string; far: number } | undefined;
    scene.grid.within([atX - reach, atX + reach, atY - reach, atY + reach], (at) => {
      const node = drawn.nodes[at]!;
      const [nodeX, nodeY] = toScreen(camera, size, node.x, node.y);
      const far = Math.hypot(nodeX - x, nodeY - y);
      if (far <= radiusOf(node, drawn.scaled, camera) + 4 && far < (best?.far ?? Infinity))
        best = { id: node.id, far };
    });
    return best?.id;
  };
  const stops = [
    listenToPointer(holder, {
      drag: (x, y) => {
        const next = { ...camera, x: camera.x - x / camera.scale, y: camera.y + y / camera.scale };
        const [toX, toY] = [shift.x + x, shift.y + y];
        if (frame !== 0 || Math.max(Math.abs(toX), Math.abs(toY)) > beyond) return move(next);
        camera = next;
        slide(toX, toY);
        clearTimeout(rest);
        rest = setTimeout(repaint, 140);
      },
      zoom: (factor, at) => move(zoom(camera, size, factor, at)),
      hover: (x, y) => {
        const next = pick(x, y);
        if (next === hovered) return;
        hovered = next;
        holder.classList.toggle('pointing', next !== undefined);
        repaint();
      },
      click: (x, y) => {
        const id = pick(x, y);
        if (id) chosen.select(id);
      },
    }),
    onThemeChange(() => {
      scene.colours = readColours(holder);
      scene.lineColour = lineColours(scene.colours);
      repaint();
    }),
  ];
  const resized = new ResizeObserver(measure);
  resized.observe(holder);
  measure();
  return {
    repaint,
    key: (key) => {
      const step = 80 / camera.scale;
      const moves: Record<string, () => Camera> = {
        ArrowLeft: () => ({ ...camera, x: camera.x - step }),
        ArrowRight: () => ({ ...camera, x: camera.x + step }),
        ArrowUp: () => ({ ...camera, y: camera.y + step }),
        ArrowDown: () => ({ ...camera, y: camera.y - step }),
        '+': () => zoom(camera, size, 1.3),
        '-': () => zoom(camera, size, 1 / 1.3),
        '0': () => fit(box, size, padding),
      };
      const next = moves[key];
      if (next) move(next());
      return next !== undefined;
    },
    close: () => {
      cancelAnimationFrame(frame);
      lines.stop();
      clearTimeout(rest);
      resized.disconnect();
      for (const stop of stops) stop();
    },
  };
}
