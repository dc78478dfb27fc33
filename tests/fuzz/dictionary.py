"""What inputs are made of: headers, names, numbers and marks, and plans to change a little."""

from __future__ import annotations

from typing import Final

from csv_target import SHIPPED

PLAIN: Final = b"model,parameters,hardware\nllama,7B,H100\n"
SEEDS: Final = (
    b"\x00" + PLAIN,
    b"\x00\xef\xbb\xbf" + PLAIN,
    b"\x00" + PLAIN.decode().replace(",", "\t").encode("utf-16"),
    b"\x00" + PLAIN.replace(b",", b";").replace(b"7B", b"7,5B"),
    b'\x00model,parameters,hardware,note\r\n"a\nb","7,500,000,000",H100,"say ""x"""\r\n\r\n',
    b"\x00sep=;\nmodel;params;gpu;hours\nx;1.234;H100;1,234\ny;7,5B;H100;2,5\n",
    b"\x00job,model,gpu,zero,tp,pp,cards,mbs,seq,lora_r,tokens,start\n,Llama-3 8B,H100,2,2,1,8,1,4096,,1T,2026-01-31\n",
    *(bytes([4 + place]) + text for place, text in enumerate(SHIPPED.values())),
)
TOKENS: Final = (
    *(bytes([mark]) for mark in b',;\t|"\n\r%+-.eE0'),
    *(b"\r\n", b'""', b'"\n"', b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x00", b"\xed\xa0\x80", b"\xef\xbf\xbe"),
    *(b"7B", b"1.3T", b"350M", b"5%", b"80 GB", b"74.5 GiB", b"12.3 GiB", b"7,500,000,000", b"1.234.567,8", b"1e400"),
    *(b"nan", b"inf", b"-1", b"9007199254740993", b"1e-999", b"2026-01-31", b"yes", b"no", b"NA", b"#N/A", b"=1+1"),
    *(b"H100", b"adamw", b"mixed-16", b"Llama-3 8B", b"model", b"parameters", b"hardware", b"gpu", b"trainable_share"),
    *(b"lora_rank", b"lora_targets", b"attention", b"cards", b"zero_stage", b"pipeline_parallel_degree", b"recompute"),
    *(b"micro_batch_size", b"sequence_length", b"activation_bytes", b"interleaved_chunks", b"instance_type", b"start"),
    *(b"\xc2\xa0", b"\xe2\x80\xaf", b"\xe2\x80\x99", b"\xe2\x80\xae", b"\xc3\xa9", b"\xef\xbf\xbd", b"PK\x03\x04"),
    *(b"%PDF-", b"<html>", b"sep=;", b"*?~", b"27B", b"8x7B"),
)
