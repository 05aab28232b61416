// The WebSocket behind a live terminal: bytes to the face, JSON to whoever asked, and a new try when it breaks.

import { socketUrl } from './api';
import { delay } from './backoff';

export interface LinkStatus {
  open: boolean;
  control: boolean;
  end: { state: string; because: string } | null;
  error: { what: string; fix?: string } | null;
  size: { cols: number; rows: number } | null;
}

interface Target { bytes(bytes: Uint8Array): void; size(cols: number, rows: number): void; fresh(): void }

export class TerminalLink {
  status: LinkStatus = { open: false, control: false, end: null, error: null, size: null };
  private socket: WebSocket | null = null;
  private attempt = 0;
  private timer = 0;
  private closed = false;

  constructor(private readonly name: string, private readonly target: Target, private readonly changed: (status: LinkStatus) => void) {
    this.open();
  }

  private update(change: Partial<LinkStatus>): void {
    this.status = { ...this.status, ...change };
    this.changed(this.status);
  }

  private open(): void {
    const socket = new WebSocket(socketUrl(this.name), 'pawl.terminal');
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    let first = true;
    socket.onopen = () => { this.attempt = 0; this.update({ open: true, error: null, end: null }); };
    socket.onmessage = ({ data }) => {
      if (first) { first = false; this.target.fresh(); }
      if (typeof data === 'string') this.told(data);
      else this.target.bytes(new Uint8Array(data as ArrayBuffer));
    };
    socket.onclose = () => this.lost(socket);
  }

  private told(text: string): void {
    let message: Record<string, never>;
    try { message = JSON.parse(text); } catch { return; }
    const { size, control, end, error } = message as unknown as Partial<LinkStatus>;
    if (size) { this.target.size(size.cols, size.rows); this.update({ size, end: null }); }
    if (typeof control === 'boolean') this.update({ control });
    if (end) this.update({ end, control: false });
    if (error) this.update({ error });
  }

  // After its end there is nothing to come; else the connection broke, and control with it.
  private lost(socket: WebSocket): void {
    if (this.closed || socket !== this.socket) return;
    this.update({ open: false, control: false });
    const wait = this.status.end || this.status.error ? 10_000 : delay(this.attempt++, Math.random());
    this.timer = window.setTimeout(() => this.open(), wait);
  }

  // Its program was started again: no need to wait.
  again(): void {
    clearTimeout(this.timer);
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.open();
  }

  askControl(on: boolean): void { this.say({ control: on }); }

  keys(bytes: Uint8Array): void {
    if (this.status.control && this.socket?.readyState === WebSocket.OPEN) this.socket.send(bytes);
  }

  private say(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }
}
