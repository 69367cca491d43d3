/* The pad's line to the server. Every question has an end: a line that does not answer is dead.
   Answers: {status, body}; an exception: nobody answered. */
const PATIENCE = 4_000;

export class Link {
  constructor(addresses, token) {
    this.addresses = addresses;
    this.token = token;
  }

  ask(after, pad) {
    return this.exchange(`${this.addresses.taps}?after=${after}&pad=${pad}`, { method: "GET" });
  }

  async send(address, data) {
    const answer = await this.post(address, data);
    if (answer.status !== 403 || answer.body.code) return answer;
    /* A form's token that is older than the sign-in: one look brings a new one. */
    await this.ask(0, data.pad);
    return this.post(address, data);
  }

  post(address, data) {
    return this.exchange(address, {
      method: "POST",
      body: JSON.stringify(data),
      headers: { "Content-Type": "application/json", "X-CSRFToken": this.token },
    });
  }

  /* The clock of the match page takes a form, and answers with a page that nobody here wants. */
  clock(act) {
    const filled = new URLSearchParams({ act, csrfmiddlewaretoken: this.token });
    return this.fetch(this.addresses.clock, { method: "POST", body: filled, redirect: "manual" });
  }

  async exchange(address, how) {
    const answer = await this.fetch(address, { ...how, redirect: "error" });
    let body = {};
    if ((answer.headers.get("Content-Type") ?? "").includes("json")) body = await answer.json();
    if (body.csrf) this.token = body.csrf;
    return { status: answer.status, body };
  }

  async fetch(address, how) {
    const stop = new AbortController();
    const alarm = setTimeout(() => stop.abort(), PATIENCE);
    try {
      return await fetch(address, {
        cache: "no-store",
        credentials: "same-origin",
        ...how,
        headers: { Accept: "application/json", ...how.headers },
        signal: stop.signal,
      });
    } finally {
      clearTimeout(alarm);
    }
  }
}
