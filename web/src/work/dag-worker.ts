import { placeWork, type WorkGraph } from './dag-layout.ts';

// Ordering hundreds of tasks takes a while; the page stays free meanwhile.
addEventListener('message', ({ data }: MessageEvent<WorkGraph>) => postMessage(placeWork(data)));
