"""Takes the registration of SCTE-35 (CUEI) out of a transport stream's program maps: unregister.py FILE OUT"""

import sys

from transport_stream import packets, with_maps


def without_registration(descriptors):
    kept, at = b"", 0
    while at < len(descriptors):
        descriptor = descriptors[at : at + 2 + descriptors[at + 1]]
        if descriptor[0] != 5 or descriptor[2:6] != b"CUEI":
            kept += descriptor
        at += len(descriptor)
    return kept


def main():
    changed = 0

    def unregister(program_map):
        nonlocal changed
        kept = without_registration(program_map.descriptors)
        changed += kept != program_map.descriptors
        program_map.descriptors = kept

    with open(sys.argv[1], "rb") as source, open(sys.argv[2], "wb") as out:
        for packet in with_maps(packets(source), unregister):
            out.write(packet)
    if not changed:
        sys.exit("there is no registration of CUEI in it")


main()
