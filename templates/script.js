"use strict";
(() => {
  const table = document.getElementById("jobs-table");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const headers = [...table.tHead.rows[0].cells];
  const filter = document.getElementById("filter");
  const status = document.getElementById("status");
  const said = (cell) => (cell.dataset.v === undefined ? cell.textContent : cell.dataset.v);

  // Sorting: ascending, descending, then as it was. What has no figure stands last.
  const compare = (left, right, column, numeric) => {
    const one = said(left.cells[column]);
    const other = said(right.cells[column]);
    if (one === "" || other === "") return (one === "") - (other === "");
    return numeric ? one - other : one.localeCompare(other, undefined, { numeric: true });
  };
  const sort = (header) => {
    const order = { ascending: "descending", descending: "" }[header.getAttribute("aria-sort")] ?? "ascending";
    headers.forEach((other) => other.removeAttribute("aria-sort"));
    const column = headers.indexOf(header);
    const numeric = header.classList.contains("number");
    const sorted = [...rows];
    if (order) {
      header.setAttribute("aria-sort", order);
      const known = (row) => said(row.cells[column]) !== "";
      sorted.sort((left, right) => {
        const found = compare(left, right, column, numeric);
        return order === "descending" && known(left) && known(right) ? -found : found;
      });
    }
    body.append(...sorted);
    status.textContent = order ? `Sorted by ${header.dataset.name}, ${order}` : "In the plan’s order";
  };
  headers.forEach((header) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => sort(header));
  });

  // Filtering by text and by verdict.
  const texts = rows.map((row) => row.textContent.toLocaleLowerCase());
  const narrow = () => {
    const words = filter.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const verdict = document.querySelector("input[name=verdict]:checked").value;
    let shown = 0;
    rows.forEach((row, index) => {
      const kept = words.every((word) => texts[index].includes(word)) && (!verdict || row.dataset.fits === verdict);
      row.hidden = !kept;
      shown += kept;
    });
    status.textContent = `${shown} of ${rows.length} rows`;
  };
  filter.addEventListener("input", narrow);
  document.querySelectorAll("input[name=verdict]").forEach((input) => input.addEventListener("change", narrow));

  // Copying what is shown as CSV: exact figures, and no text that a spreadsheet would take for a formula.
  const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const field = (cell) => {
    const text = said(cell);
    if (cell.dataset.v !== undefined) return text;
    return quoted(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
  };
  const csv = () => {
    const columns = headers.flatMap((header, index) => (header.offsetParent ? [index] : []));
    const lines = [columns.map((index) => quoted(headers[index].dataset.name)).join(",")];
    for (const row of body.rows) {
      if (!row.hidden) lines.push(columns.map((index) => field(row.cells[index])).join(","));
    }
    return lines.map((line) => `${line}\n`).join("");
  };
  const copyThroughField = (text) => {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };
  document.getElementById("copy").addEventListener("click", async (event) => {
    const text = csv();
    let done;
    try {
      await navigator.clipboard.writeText(text);
      done = true;
    } catch {
      done = copyThroughField(text);
    }
    event.target.focus();
    status.textContent = done ? `${text.split("\n").length - 2} rows copied as CSV` : "The browser did not allow copying";
  });

  // A link to a job opens its section; on paper all sections are open.
  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details.job:not([open])")];
    closed.forEach((part) => (part.open = true));
  });
  addEventListener("afterprint", () => closed.forEach((part) => (part.open = false)));

  document.querySelectorAll(".needs-script").forEach((part) => (part.hidden = false));
})();
