import { hierarchy, pack } from 'd3-hierarchy';

export interface WholeMap {
  files: Array<{ path: string; commits: number }>;
  imports: Array<[number, number]>;
  together: Array<[number, number, number]>;
}

export interface WholeRequest {
  map: WholeMap;
  /** '' is the root. */
  folder: string;
  /** More circles than this are drawn as folders, which can be opened. */
  most: number;
}

export interface Circle {
  id: string;
  label: string;
  kind: 'file' | 'folder';
  /** Which of the top folders it lies in: things of one folder have one colour. */
  shade: number;
  x: number;
  y: number;
  size: number;
  files: number;
  commits: number;
}

/** A folder whose files are drawn: a ring around them, with its name. */
export interface Ring {
  name: string;
  depth: number;
  x: number;
  y: number;
  radius: number;
}

export interface PlacedMap {
  circles: Circle[];
  rings: Ring[];
  /** Where anything lies at all: left, right, bottom, top. */
  box: [number, number, number, number];
  links: Array<{ source: string; target: string; type: string; weight: number }>;
}

interface Branch {
  path: string;
  name: string;
  files: number;
  commits: number;
  /** How much room it takes. */
  room: number;
  isFile: boolean;
  children: Map<string, Branch>;
}

interface Shape {
  node: Branch;
  children?: Shape[];
}

const branch = (path: string, name: string, isFile = false): Branch => ({
  path,
  name,
  files: 0,
  commits: 0,
  room: 0,
  isFile,
  children: new Map(),
});

/** Files lie in circles as they lie in folders: a place means something and stays when files come and go. */
export function placeWhole({ map, folder, most: room }: WholeRequest): PlacedMap {
  const root = treeOf(map.files, folder);
  if (root.files === 0) return { circles: [], rings: [], box: [0, 1, 0, 1], links: [] };
  const open = openLargest(root, room);
  const shape = (node: Branch): Shape => ({
    node,
    ...(open.has(node) ? { children: [...node.children.values()].map(shape) } : {}),
  });
  const laid = pack<Shape>().size([1000, 1000]).padding(2)(
    hierarchy(shape(root))
      .sum((each) => (each.children ? 0 : Math.max(1, each.node.room)))
      .sort((a, b) => (b.value ?? 0) - (a.value ?? 0)),
  );
  const shadeOf = shadesOf(root);
  const circles = laid.leaves().map(
    ({ x, y, r, data: { node } }): Circle => ({
      id: `${node.isFile ? 'file' : 'folder'}:${node.path}`,
      label: node.isFile ? node.name : `${node.name}/ ${node.files}`,
      kind: node.isFile ? 'file' : 'folder',
      shade: shadeOf(node.path),
      x,
      y: -y,
      size: r * 0.86,
      files: node.files,
      commits: node.commits,
    }),
  );
  const rings = laid
    .descendants()
    .filter((each) => each.depth > 0 && each.children)
    .map(({ x, y, r, depth, data }) => ({ name: data.node.name, depth, x, y: -y, radius: r }));
  const all = [...rings, ...circles.map(({ x, y, size }) => ({ x, y, radius: size }))];
  const most = (side: (each: { x: number; y: number; radius: number }) => number) =>
    all.reduce((sofar, each) => Math.max(sofar, side(each)), Number.NEGATIVE_INFINITY);
  const box: PlacedMap['box'] = [
    -most(({ x, radius }) => radius - x),
    most(({ x, radius }) => x + radius),
    -most(({ y, radius }) => radius - y),
    most(({ y, radius }) => y + radius),
  ];
  return { circles, rings, box, links: linksAmong(map, circles, folder) };
}

/** One colour for each folder; a folder that holds nearly everything gives its parts their own. */
function shadesOf(root: Branch): (path: string) => number {
  const shades = new Map<string, number>();
  const give = (node: Branch) => {
    for (const child of [...node.children.values()].sort((a, b) => b.files - a.files)) {
      if (!child.isFile && child.files > root.files * 0.4) give(child);
      else shades.set(child.path, shades.size);
    }
  };
  give(root);
  return (path) => {
    for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const found = shades.get(at);
      if (found !== undefined) return found;
    }
    return 0;
  };
}

/** A busy file is larger. In steps, so that places stay while a file gains a commit now and then. */
const roomOf = (commits: number): number => 1 + Math.floor(Math.log2(Math.max(1, commits)));

function treeOf(files: WholeMap['files'], folder: string): Branch {
  const root = branch(folder, folder || '.');
  const prefix = folder === '' ? '' : `${folder}/`;
  for (const { path, commits } of files) {
    if (!path.startsWith(prefix)) continue;
    const segments = path.slice(prefix.length).split('/');
    let at = root;
    const room = roomOf(commits);
    at.files++;
    at.commits += commits;
    at.room += room;
    segments.forEach((name, index) => {
      let next = at.children.get(name);
      if (!next) {
        next = branch(prefix + segments.slice(0, index + 1).join('/'), name, index === segments.length - 1);
        at.children.set(name, next);
      }
      next.files++;
      next.commits += commits;
      next.room += room;
      at = next;
    });
  }
  return root;
}

/** Opens folder after folder, the largest first, while there is room. */
function openLargest(root: Branch, most: number): Set<Branch> {
  const open = new Set([root]);
  let shown = root.children.size;
  const closed = [...root.children.values()].filter((node) => !node.isFile);
  while (closed.length > 0) {
    closed.sort((a, b) => a.files - b.files);
    const next = closed.pop()!;
    if (shown - 1 + next.children.size > most) continue;
    shown += next.children.size - 1;
    open.add(next);
    for (const child of next.children.values()) if (!child.isFile) closed.push(child);
  }
  return open;
}

function linksAmong(map: WholeMap, circles: Circle[], folder: string): PlacedMap['links'] {
  const shown = new Map(circles.map((circle) => [circle.id.slice(circle.id.indexOf(':') + 1), circle.id]));
  const holder = map.files.map(({ path }) => {
    for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const found = shown.get(at);
      if (found || at === '' || at === folder) return found;
    }
  });
  const links = new Map<string, PlacedMap['links'][number]>();
  const add = (left: number, right: number, type: string, weight: number) => {
    const [source, target] = [holder[left], holder[right]];
    if (!source || !target || source === target) return;
    const key = `${type} ${source} ${target}`;
    const before = links.get(key);
    if (before) before.weight = Math.min(1, before.weight + weight / 10);
    else links.set(key, { source, target, type, weight });
  };
  for (const [from, to] of map.imports) add(from, to, 'imports', 0.3);
  for (const [left, right, jaccard] of map.together) add(left, right, 'changes_with', jaccard);
  return [...links.values()].sort((a, b) => b.weight - a.weight).slice(0, mostLinks);
}

/** More lines than this are a fog; the strongest say what there is to say. */
const mostLinks = 6000;
