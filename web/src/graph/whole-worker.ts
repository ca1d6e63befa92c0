import { placeWhole, type WholeRequest } from './whole.ts';

// Placing tens of thousands of circles takes a while; the page stays free meanwhile.
addEventListener('message', ({ data }: MessageEvent<WholeRequest>) => postMessage(placeWhole(data)));
